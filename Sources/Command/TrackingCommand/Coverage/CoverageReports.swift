import TrackingModel
import TrackingPlan
import TrackingChecks

extension Coverage {
  var report: Report {
    Report(value: value, write: write, others: [.github: { github }])
  }

  var neverArrived: [Event] { events.filter { $0.state == .neverArrived } }
  var unknown: [Event] { events.filter { $0.state == .unknown } }
  var unmatched: [Event] { events.filter { $0.state == .arrived } }

  /// The uncovered params of events that arrived; other events are reported without their params.
  private var openParams: [(event: Event, param: Param)] {
    events.filter { $0.count > 0 }
      .flatMap { event in event.params.filter { $0.open != nil }.map { (event, $0) } }
  }

  var unseenValues: [(event: Event, param: Param, value: Value)] { values { !$0.isSeen && !$0.isUnknown } }

  private func values(where isWanted: (Value) -> Bool) -> [(event: Event, param: Param, value: Value)] {
    events.filter { $0.count > 0 }
      .flatMap { event in
        event.params.filter { $0.seen > 0 }.flatMap { param in
          param.values.filter(isWanted).map { (event, param, $0) }
        }
      }
  }

  var headline: String {
    "\(events.count.counted("event")) planned: \(matched.covered) matched, "
      + "\(unmatched.count) arrived but not matched, "
      + "\(neverArrived.count) never arrived" + (unknown.isEmpty ? "" : ", \(unknown.count) not known")
  }

  /// Notes on data that is missing from the figures.
  private var caveats: [String] { observed.caveats + (noticed?.caveats ?? []) }

  private func text(_ event: Event, _ param: Param) -> ReportText {
    "\(code: "\(event.event.name).\(param.param.path)")"
  }

  private func write(_ page: inout ReportPage) {
    if page.isMarkdown {
      page.heading("Coverage of \(planName)")
      let shares = [
        ("events that arrived", arrived), ("events that a test matched", matched), ("params", params),
        ("values", values),
      ]
      page.table(
        nil, [.text(""), .number("covered"), .number("")],
        shares.map { NoticedChanges.row($0, $1) } + (noticed?.figures ?? []))
    } else {
      page.paragraph("\(headline).   params \(params.text)   values \(values.text)")
      if let noticed { page.paragraph("\(noticed.headline)") }
    }
    page.list(
      "never arrived", "Never arrived",
      neverArrived.map { "\(code: $0.event.name) (line \($0.event.place.line))" })
    page.list("not known", "Not known", unknown.map { "\(code: $0.event.name) (line \($0.event.place.line))" })
    page.list(
      "not matched", "Arrived but not matched",
      unmatched.map {
        "\(code: $0.event.name) (\(CountWords.times($0.count)) in \($0.tests.counted("test")))\(callSiteNames.text(of: $0.callSites))"
      })
    page.list(
      "params", "Params",
      openParams.map { "\(text($0.event, $0.param)): \($0.param.open ?? "") (line \($0.param.param.place.line))" })
    writeValues(&page)
    page.list("not in the plan", "Not in the plan", unplanned.map { $0.sentence(callSiteNames) })
    page.list("not noticed", "Not noticed", noticed?.findings ?? [])
    page.list("checked", "Checked", ["\(checks.sentence)"])
    page.list("note", "Note", caveats.map { "\($0)" })
    noticed?.writeTable(&page)
  }

  /// Adds the lists of values that weren't seen, and of those that may have been.
  private func writeValues(_ page: inout ReportPage) {
    page.list(
      "values never seen", "Values never seen",
      unseenValues.map { "\(text($0.event, $0.param)): \(code: $0.value.value) (line \($0.value.place.line))" })
    page.list(
      "values not known", "Values not known",
      values(where: \.isUnknown).map {
        "\(text($0.event, $0.param)): \(code: $0.value.value) (line \($0.value.place.line)); a test has more values than are kept"
      })
  }

  // MARK: JSON

  private var value: TrackingValue {
    [
      "plan": .string(planName), "arrived": arrived.value, "matched": matched.value, "params": params.value,
      "values": values.value, "tests": .int(observed.plans.count), "tornLines": .int(observed.tornLines),
      "checks": checks.value, "noticed": noticed?.value ?? .null,
      "events": .array(events.map(\.value)),
      "unplanned": .array(
        unplanned.map { event in
          [
            "name": .string(event.name), "count": .int(event.count), "tests": .array(event.tests.map { .string($0) }),
            "nearest": event.nearest.map { .string($0) } ?? .null, "at": event.callSites.value,
          ]
        }),
      // Compared by `--baseline`.
      "covered": .array(items.filter(\.isCovered).map { .string($0.name) }),
    ]
  }
}

extension Coverage.Unplanned {
  /// The event in one sentence: `cart_shwon, 3 times in CartUITests.testCart; the nearest is cart_shown; tracked at CartModel.swift:12`.
  func sentence(_ names: CallSiteNames) -> ReportText {
    let place: ReportText = tests.count == 1 ? "\(code: tests[0])" : "\(tests.count.counted("test"))"
    return
      "\(code: name), \(CountWords.times(count)) in \(place)\(nearest.map { "; the nearest is \(code: $0)" } ?? "")\(names.text(of: callSites))"
  }
}

extension Set<CallSite> {
  var value: TrackingValue { map { "\($0)" }.sorted().trackingValue }
}

extension Coverage.Event {
  fileprivate var value: TrackingValue {
    [
      "name": .string(event.name), "state": .string(state.rawValue), "count": .int(count), "tests": .int(tests),
      "line": .int(event.place.line), "file": .string(event.place.file), "at": callSites.value,
      "params": .array(
        params.map { param in
          [
            "path": .string(param.param.path), "seen": .int(param.seen),
            "open": param.open.map { .string($0) } ?? .null,
            "unseenValues": .array(param.values.filter { !$0.isSeen && !$0.isUnknown }.map(\.value)),
            "unknownValues": .array(param.values.filter(\.isUnknown).map(\.value)),
          ]
        }),
    ]
  }
}
