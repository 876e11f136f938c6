import TrackingModel
import TrackingChecks
import TrackingPlan

extension RunComparison {
  var report: Report { Report(value: value, write: write) }

  /// The maximum number of changes of a kind that text and Markdown show.
  private static let longestList = 50

  private var headline: String {
    let parts = Self.titles.map { (changes($0.kind).count, $0.title) }.filter { $0.0 > 0 }.map { "\($0) \($1)" }
    guard !tests.isEmpty else { return nothing }
    let change = unknownFacts.isEmpty ? "no change in what is tracked" : "no change in what is known"
    let found = parts.isEmpty ? change : parts.joined(separator: ", ")
    return "\(found); \(tests.count.counted("test")) in both runs"
  }

  /// The reason that nothing was compared.
  var nothing: String {
    cut.isEmpty
      ? "no test is in both runs, so nothing was compared"
      : "no test of both runs is complete, so nothing was compared"
  }

  /// The facts that tests dropped, so that a change isn't known.
  var unknownFacts: [String] {
    let limits = Observation.Limits.ofTests
    let reason = "because a test saw more than \(limits.paths) params or \(limits.events) names"
    return [
      unknown.isEmpty
        ? nil : "\(unknown.count.counted("event")) not known completely, \(reason): \(unknown.listed(most: 10))",
      testsWithUnknownNames.isEmpty
        ? nil
        : "\(testsWithUnknownNames.count.counted("test")) with more than \(limits.events) names of events or very long ones: "
          + testsWithUnknownNames.listed(most: 10),
    ].compactMap(\.self)
  }

  /// Notes on what isn't compared.
  private var notes: [String] {
    var notes: [String] = []
    func add(_ names: [String], _ text: (String) -> String) {
      if !names.isEmpty { notes.append("\(text(names.count.counted("test"))): \(names.listed(most: 10))") }
    }
    add(failed) { "\($0) failed in the head and not in the base" }
    notes += unknownFacts
    add(cut) { "\($0) not compared, because a session left out entries" }
    add(testsOfBaseOnly) { "\($0) only in the base" }
    add(testsOfHeadOnly) { "\($0) only in the head" }
    if !eventsWithoutTest.isEmpty {
      notes.append(
        "\(eventsWithoutTest.count.counted("event")) seen only by tests that the head didn't run: \(eventsWithoutTest.listed(most: 10))"
      )
    }
    for (reason, params) in Dictionary(grouping: volatile, by: \.reason).sorted(by: { $0.key < $1.key }) {
      notes.append("not compared, because \(reason): \(params.map(\.name).listed(most: 10))")
    }
    for run in ["base", "head"] {
      add(leftOut.filter { $0.run == run }.map { "\($0.test) (\($0.reason))" }) {
        "\($0) whose mutants were left out in the \(run)"
      }
    }
    if tornLines > 0 {
      notes.append("\(tornLines.counted("incomplete line")) skipped, from processes that were killed")
    }
    return notes
  }

  private static let titles: [(kind: RunChange.Kind, title: String)] = [
    (.lost, "lost"), (.renamed, "probably renamed"), (.gained, "gained"), (.kinds, "changed in type"),
    (.values, "changed in value"), (.presence, "changed in presence"), (.counts, "changed in count"),
    (.unmatched, "no longer matched"),
    (.unchecked, "no longer checked"), (.unpinned, "no longer pinned"), (.unnoticedGain, "gained unpinned"),
  ]

  private func write(_ page: inout ReportPage) {
    page.heading("Tracking")
    page.paragraph("\(headline)")
    for (kind, title) in Self.titles {
      page.list(
        title, "\(title.prefix(1).uppercased() + title.dropFirst())",
        changes(kind).map { $0.sentence(callSiteNames) }.shortened(
          to: Self.longestList, ", which the report in JSON lists"))
    }
    page.list("note", "Notes", notes.map { "\($0)" }, isFolded: true)
  }

  private var value: TrackingValue {
    [
      "tests": tests.trackingValue, "failed": failed.trackingValue, "testsOfBaseOnly": testsOfBaseOnly.trackingValue,
      "testsOfHeadOnly": testsOfHeadOnly.trackingValue, "eventsWithoutTest": eventsWithoutTest.trackingValue,
      "unknown": [
        "events": unknown.trackingValue, "testsWithMoreNames": testsWithUnknownNames.trackingValue,
        "incompleteTests": cut.trackingValue,
      ],
      "runs": .int(runs), "tornLines": .int(tornLines),
      "leftOut": .array(
        leftOut.map { ["test": .string($0.test), "run": .string($0.run), "reason": .string($0.reason)] }),
      "changes": .array(changes.map(\.value)),
      "volatile": .array(volatile.map { ["name": .string($0.name), "reason": .string($0.reason)] }),
    ]
  }
}

extension RunChange {
  fileprivate var value: TrackingValue {
    TrackingValue(present: [
      "kind": kind.rawValue, "event": event,
      "tests": tests.map { ["test": .string($0.test), "before": $0.before, "after": $0.after] as TrackingValue },
      "others": others, "param": path, "to": newName, "before": totals?.before, "after": totals?.after,
      "at": callSites.isEmpty ? nil : callSites.map { "\($0)" }.sorted(),
    ])
  }

  /// The change in one line: `purchase.total: number became text in CheckoutTests.testBuying`.
  fileprivate func sentence(_ names: CallSiteNames) -> ReportText {
    let sites = names.text(of: callSites)
    return newName.map { "\(code: name) to \(code: $0): \(predicate)\(sites)" } ?? "\(code: name): \(predicate)\(sites)"
  }

  private var predicate: ReportText {
    let places = Self.places(tests.map(\.test))
    switch kind {
    case .lost:
      let still = others == 0 ? "" : ", still in \(others.counted("other test"))"
      return path == nil ? "\(CountWords.times(sum(\.before))) before in \(places)\(still)" : "in \(places)\(still)"
    case .gained: return path == nil ? "\(CountWords.times(sum(\.after))) in \(places)" : "in \(places)"
    case .renamed:
      // Swift's comparison is that of what a reader sees.
      let note = newName == path ?? event ? "it looks the same but has different code points, " : ""
      return "\(note)\(path == nil ? "by params and counts" : "by kinds, values or name"), in \(places)"
    case .kinds, .presence, .values: return byChange
    case .counts:
      let total = totals.map { tests.count == 1 && others == 0 ? "" : "; \($0.before) became \($0.after) in total" }
      return "\(byChange)\(total ?? "")"
    case .unmatched: return "a wait matched it in \(places), and none does now"
    case .unchecked: return "a missing one was noticed by \(places), and by no test now"
    case .unpinned: return "a change of it was noticed by \(places), and by no test now"
    case .unnoticedGain: return "\(path == nil ? "a missing one" : "a change") isn't noticed in \(places)"
    }
  }

  /// The tests, grouped by what changed: `1 became 2 in CartTests.testAdding`.
  private var byChange: ReportText {
    var groups: [(text: ReportText, tests: [String])] = []
    for test in tests {
      let text: ReportText = "\(list(test.before)) became \(list(test.after))"
      if let index = groups.firstIndex(where: { $0.text.plain == text.plain }) {
        groups[index].tests.append(test.test)
      } else {
        groups.append((text, [test.test]))
      }
    }
    let shown = groups.prefix(3).map { "\($0.text) in \(Self.places($0.tests))" as ReportText }.joined(separator: "; ")
    return groups.count > 3 ? "\(shown); and \(groups.count - 3) more" : shown
  }

  private func sum(_ number: KeyPath<RunChange.TestChange, TrackingValue>) -> Int {
    tests.reduce(0) { sum, test in
      if case .int(let count) = test[keyPath: number] { sum + count } else { sum }
    }
  }

  private static func places(_ tests: [String]) -> ReportText {
    tests.count <= 2
      ? tests.map { "\(code: $0)" as ReportText }.joined(separator: " and ")
      : "\(tests.count) tests, such as \(code: tests[0])"
  }

  /// A list of kinds or of values, or a number.
  private func list(_ value: TrackingValue) -> ReportText {
    switch value {
    case .array([]): return "nothing"
    case .array(let values):
      let shown = values.prefix(5).map { value -> ReportText in
        if kind == .kinds, case .string(let name) = value { "\(name)" } else { "\(code: value)" }
      }.joined(separator: ", ")
      return values.count > 5 ? "\(shown) and \(values.count - 5) more" : shown
    case .string(let text): return "\(text)"
    default: return "\(value)"
    }
  }
}
