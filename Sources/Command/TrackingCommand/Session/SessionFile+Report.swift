import TrackingModel
import TrackingPlan

extension SessionFile {
  /// The report on failures, entries with problems and lost events.
  var report: Report { Report(value: value, write: write) }

  private var reportTitle: String { title.isEmpty ? "A tracking session" : title }

  private var problems: [(subject: String, text: String)] {
    let names = callSiteNames
    return entries.flatMap { entry in
      let site = entry.event?.callSite.map { "; tracked at \(names.name(of: $0))" } ?? ""
      return entry.problems.map { ("#\(entry.number) \(entry.name)", $0 + site) }
    }
      + losses.map { ("launch \($0.launch)", "\($0.count) tracked events never arrived") }
  }

  private var value: TrackingValue {
    TrackingValue(present: [
      "title": reportTitle, "entries": entries.count, "events": events.count, "failures": failures.count,
      "findings": problems.count, "plan": plan?.name, "digest": plan?.digest,
    ])
  }

  private func write(_ page: inout ReportPage) {
    // GitHub accepts 1 MiB for all summaries of a step.
    page.room = 512 * 1_024
    page.heading("\(reportTitle.prefix(500))", level: 1)
    page.paragraph("\(events.count.counted("event")), \(problems.count.counted("problem"))")
    page.paragraph("The events were \(plan.map { "checked against the plan \($0)" } ?? "not checked against a plan").")
    if omitted > 0 {
      page.paragraph("\(omitted.counted("entry", plural: "entries")) left out when the session was written.")
    }
    page.code("Failures", failures.map { ("\(code: $0.location)", $0.message) })
    let retried = tests.retriedFailures
    page.table(
      "Tests", [.text("Name"), .text("Result"), .number("Events")],
      tests.withoutRetriedFailures.map { test in
        let result = retried[test.place].map { "; \($0.count.counted("earlier attempt")) failed" } ?? ""
        return [
          test.name.isEmpty ? "a test without a name" : "\(code: test.name.prefix(500))",
          "\(test.hasFailed ? "failed" : "passed")\(result)", "\(events.count { test.contains($0.number) })",
        ]
      })
    page.table(
      "Problems", [.text("Entry"), .text("Problem")],
      problems.map { ["\(code: $0.subject.prefix(500))", "\($0.text.prefix(500))"] })
    let counts = Dictionary(grouping: events, by: \.event.name).mapValues(\.count)
    page.table(
      "Events", [.text("Name"), .number("Number")],
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ["\(code: $0.key.prefix(500))", "\($0.value)"] })
  }
}
