import Foundation
import TrackingJSON
import TrackingModel

extension RunComparison {
  /// Returns the report in a form; it ends with a line feed.
  package func report(as form: ReportForm) -> String {
    switch form {
    case .text: text
    case .markdown: markdown
    case .json: json
    }
  }

  /// The most changes of a kind that text and Markdown show.
  private static let longestList = 50

  private var headline: String {
    let parts = [
      (changes(.lost), "lost"), (changes(.renamed), "probably renamed"), (changes(.gained), "gained"),
      (changes(.kinds, .values, .presence, .counts), "changed"),
      (changes(.unverified, .unasked, .unpinned), "checked less"), (changes(.unnoticedGain), "gained and unpinned"),
    ].filter { !$0.0.isEmpty }.map { "\($0.count) \($1)" }
    let found = parts.isEmpty ? "no change in what is tracked" : parts.joined(separator: ", ")
    return "\(found); \(tests.count.counted("test")) in both runs"
  }

  /// Remarks on what isn't compared.
  private var notes: [String] {
    var notes: [String] = []
    func add(_ names: [String], _ text: (String) -> String) {
      if !names.isEmpty { notes.append("\(text(names.count.counted("test"))): \(Self.list(names))") }
    }
    add(testsOfBaseOnly) { "\($0) only in the base" }
    add(testsOfHeadOnly) { "\($0) only in the head" }
    if !eventsWithoutTest.isEmpty {
      notes.append(
        "\(eventsWithoutTest.count.counted("event")) seen only by tests that the head didn't run: \(Self.list(eventsWithoutTest))"
      )
    }
    for (reason, params) in Dictionary(grouping: volatile, by: \.reason).sorted(by: { $0.key < $1.key }) {
      notes.append("not compared, because \(reason): \(Self.list(params.map(\.name)))")
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

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(longestList / 5).joined(separator: ", ")
    return names.count > longestList / 5 ? "\(shown) and \(names.count - longestList / 5) more" : shown
  }

  // MARK: Text

  private static let titles: [(kind: Kind, title: String)] = [
    (.lost, "lost"), (.renamed, "probably renamed"), (.gained, "gained"), (.kinds, "kind of value"),
    (.values, "values"), (.presence, "presence"), (.counts, "counts"), (.unverified, "no longer verified"),
    (.unasked, "no longer asked"), (.unpinned, "no longer pinned"), (.unnoticedGain, "gained, unpinned"),
  ]

  private var text: String {
    var lines = TextSections([headline])
    for (kind, title) in Self.titles { lines.add(title, Self.shortened(changes(kind).map(\.sentence))) }
    lines.add("note", notes)
    return lines.text
  }

  private static func shortened(_ items: [String]) -> [String] {
    guard items.count > longestList else { return items }
    return items.prefix(longestList) + ["... \(items.count - longestList) more, which the report in JSON lists"]
  }

  // MARK: Markdown

  private var markdown: String {
    var lines = ["## Tracking", "", MarkdownText.escaped(headline.prefix(1).uppercased() + headline.dropFirst() + ".")]
    for (kind, title) in Self.titles {
      let changes = changes(kind)
      guard !changes.isEmpty else { continue }
      lines += ["", "**\(title.prefix(1).uppercased() + title.dropFirst())**", ""]
      lines += Self.shortened(changes.map(\.markdown)).map { "- \($0)" }
    }
    let notes = notes
    if !notes.isEmpty {
      lines +=
        ["", "<details><summary>Not compared</summary>", ""] + notes.map { "- \(MarkdownText.escaped($0))" }
        + ["", "</details>"]
    }
    return lines.map { $0.onOneLine + "\n" }.joined()
  }

  // MARK: JSON

  private var json: String {
    func names(_ names: [String]) -> TrackingValue { .array(names.map { .string($0) }) }
    let report: TrackingValue = [
      "tests": names(tests), "testsOfBaseOnly": names(testsOfBaseOnly), "testsOfHeadOnly": names(testsOfHeadOnly),
      "eventsWithoutTest": names(eventsWithoutTest), "runs": .int(runs), "tornLines": .int(tornLines),
      "leftOut": .array(
        leftOut.map { ["test": .string($0.test), "run": .string($0.run), "reason": .string($0.reason)] }),
      "changes": .array(changes.map(\.value)),
      "volatile": .array(volatile.map { ["name": .string($0.name), "reason": .string($0.reason)] }),
    ]
    return JSONTree(of: report).text(.lines) + "\n"
  }
}

extension RunComparison.Change {
  fileprivate var value: TrackingValue {
    var members: [String: TrackingValue] = [
      "kind": .string(kind.rawValue), "event": .string(event),
      "tests": .array(
        tests.map { ["test": .string($0.test), "before": $0.before, "after": $0.after] }),
      "others": .int(others),
    ]
    members["param"] = path.map { .string($0) }
    members["to"] = newName.map { .string($0) }
    members["before"] = totals.map { .int($0.before) }
    members["after"] = totals.map { .int($0.after) }
    return .object(members)
  }

  /// The change in one line: `purchase.total: number became text in CheckoutTests.testBuying`.
  fileprivate var sentence: String { "\(subject { $0 }): \(predicate { $0 })" }

  fileprivate var markdown: String { "\(subject(MarkdownText.code)): \(predicate(MarkdownText.code))" }

  private func subject(_ code: (String) -> String) -> String {
    guard let newName else { return code(name) }
    return "\(code(name)) to \(code(newName))"
  }

  private func predicate(_ code: (String) -> String) -> String {
    let places = places(code)
    switch kind {
    case .lost:
      let still = others == 0 ? "" : ", still in \(others.counted("other test"))"
      return path == nil ? "\(CountWords.times(sum(\.before))) before in \(places)\(still)" : "in \(places)\(still)"
    case .gained: return path == nil ? "\(CountWords.times(sum(\.after))) in \(places)" : "in \(places)"
    case .renamed:
      return path == nil ? "by params and counts, in \(places)" : "by kinds, values or name, in \(places)"
    case .kinds, .presence, .values: return byChange(code)
    case .counts:
      let total = totals.map { tests.count == 1 && others == 0 ? "" : "; \($0.before) became \($0.after) in total" }
      return byChange(code) + (total ?? "")
    case .unverified: return "a wait matched it in \(places), and none does now"
    case .unasked: return "missing or doubled, it was noticed by \(places), and by no test now"
    case .unpinned: return "a change of it was noticed by \(places), and by no test now"
    case .unnoticedGain: return "\(path == nil ? "missing or doubled" : "changed"), it isn't noticed in \(places)"
    }
  }

  /// The tests, grouped by what changed: `1 became 2 in CartTests.testAdding`.
  private func byChange(_ code: (String) -> String) -> String {
    var groups: [(text: String, tests: [String])] = []
    for test in tests {
      let text = "\(list(test.before, code)) became \(list(test.after, code))"
      if let index = groups.firstIndex(where: { $0.text == text }) {
        groups[index].tests.append(test.test)
      } else {
        groups.append((text, [test.test]))
      }
    }
    let shown = groups.prefix(3).map { "\($0.text) in \(Self.places($0.tests, code))" }
    return shown.joined(separator: "; ") + (groups.count > 3 ? "; and \(groups.count - 3) more" : "")
  }

  private func sum(_ number: KeyPath<RunComparison.TestChange, TrackingValue>) -> Int {
    tests.reduce(0) { sum, test in
      if case .int(let count) = test[keyPath: number] { sum + count } else { sum }
    }
  }

  private func places(_ code: (String) -> String) -> String { Self.places(tests.map(\.test), code) }

  private static func places(_ tests: [String], _ code: (String) -> String) -> String {
    let shown = tests.prefix(2).map(code).joined(separator: " and ")
    return tests.count <= 2 ? shown : "\(tests.count) tests, such as \(code(tests[0]))"
  }

  /// A list of kinds or of values, or a number.
  private func list(_ value: TrackingValue, _ code: (String) -> String) -> String {
    switch value {
    case .array([]): "nothing"
    case .array(let values):
      values.prefix(5).map { value in
        if kind == .kinds, case .string(let name) = value { name } else { code("\(value)") }
      }.joined(separator: ", ") + (values.count > 5 ? " and \(values.count - 5) more" : "")
    case .string(let text): text
    default: "\(value)"
    }
  }
}
