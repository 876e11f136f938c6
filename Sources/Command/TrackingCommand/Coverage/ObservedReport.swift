import TrackingModel

extension ObservedEvents {
  /// The report without a plan: the events that arrived, and what the tests notice of them.
  var report: Report { Report(value: value, write: write) }

  private var unmatched: [(name: String, event: Event)] {
    events.filter { $0.value.matched == 0 }.sorted { $0.key < $1.key }.map { ($0.text, $1) }
  }

  private var headline: String {
    let matched = events.count - unmatched.count
    return
      "\(events.count.counted("event")) in \(plans.count.counted("test")): \(matched) matched, "
      + "\(unmatched.count) arrived but not matched"
  }

  private func write(_ page: inout ReportPage) {
    let names = callSiteNames
    page.heading("Observed events")
    page.paragraph("\(headline)")
    if let noticed { page.paragraph("\(noticed.headline)") }
    page.list(
      "not matched", "Arrived but not matched",
      unmatched.map {
        "\(code: $0.name) (\(CountWords.times($0.event.count)) in \($0.event.tests.count.counted("test")))\(names.text(of: $0.event.callSites))"
      })
    page.list("not noticed", "Not noticed", noticed?.findings ?? [])
    page.list("note", "Note", (caveats + (noticed?.caveats ?? [])).map { "\($0)" })
    noticed?.writeTable(&page)
  }

  private var value: TrackingValue {
    [
      "tests": .int(plans.count), "tornLines": .int(tornLines),
      "noticed": noticed?.value ?? .null,
      "events": .array(
        events.sorted { $0.key < $1.key }.map { name, event in
          [
            "name": .string(name.text), "state": .string(event.matched > 0 ? "matched" : "arrived"),
            "count": .int(event.count), "tests": .int(event.tests.count), "at": event.callSites.value,
            "lacksParams": .bool(event.lacksParams),
            "params": .array(
              event.params.sorted { $0.key < $1.key }.map { ["path": .string($0.general), "seen": .int($1.seen)] }),
          ]
        }),
      "covered": .array((noticed?.items ?? []).filter(\.isCovered).map { .string($0.name) }),
    ]
  }
}
