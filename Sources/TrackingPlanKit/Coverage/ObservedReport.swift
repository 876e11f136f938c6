import Foundation
import TrackingJSON
import TrackingModel

/// A report on what tests observed, without a plan: the events that arrived, and what the tests notice of them.
struct ObservedReport {
  private let observed: ObservedEvents

  init(of observed: ObservedEvents) {
    self.observed = observed
  }

  private var unverified: [(name: String, event: ObservedEvents.Event)] {
    observed.events.filter { $0.value.matched == 0 }.sorted { $0.key < $1.key }.map { ($0, $1) }
  }

  private var headline: String {
    let verified = observed.events.count - unverified.count
    return
      "\(observed.events.count.counted("event")) in \(observed.plans.count.counted("test")): \(verified) verified, "
      + "\(unverified.count) arrived but not verified"
  }

  private var caveats: [String] {
    (observed.tornLines > 0
      ? ["\(observed.tornLines.counted("incomplete line")) skipped, from processes that were killed"] : [])
      + (observed.noticed?.caveats ?? [])
  }

  /// Returns the report in a form; those about a plan's lines are text.
  func report(as form: CoverageFormat) -> String {
    switch form {
    case .text, .lcov, .github: text
    case .markdown: markdown
    case .json: json
    }
  }

  private var text: String {
    var lines = TextSections([headline] + (observed.noticed.map { [$0.headline] } ?? []))
    lines.add("not verified", unverified.map { "\($0.name) (\(CountWords.seen($0.event)))" })
    lines.add("not noticed", observed.noticed?.findings { $0 } ?? [])
    lines.add("note", caveats)
    lines.add(table: observed.noticed?.table ?? [])
    return lines.text
  }

  private var markdown: String {
    var lines = ["## Observed events", "", MarkdownText.escaped(headline + ".")]
    func section(_ title: String, _ items: [String]) {
      if !items.isEmpty { lines += ["", "**\(title)**", ""] + items.map { "- \($0)" } }
    }
    if let noticed = observed.noticed {
      lines += ["", MarkdownText.escaped(noticed.headline), ""] + noticed.markdownTable
    }
    section(
      "Arrived but not verified", unverified.map { "\(MarkdownText.code($0.name)), \(CountWords.seen($0.event))" })
    section("Not noticed", observed.noticed?.findings(MarkdownText.code) ?? [])
    section("Note", caveats.map(MarkdownText.escaped))
    return lines.map(\.onOneLine).joined(separator: "\n") + "\n"
  }

  private var json: String {
    let report: TrackingValue = [
      "tests": .int(observed.plans.count), "tornLines": .int(observed.tornLines),
      "noticed": observed.noticed?.value ?? .null,
      "events": .array(
        observed.events.sorted { $0.key < $1.key }.map { name, event in
          [
            "name": .string(name), "state": .string(event.matched > 0 ? "verified" : "arrived"),
            "count": .int(event.count), "tests": .int(event.tests.count),
            "params": .array(
              event.params.sorted { $0.key < $1.key }.map { ["path": .string($0), "seen": .int($1.seen)] }),
          ]
        }),
      "covered": .array((observed.noticed?.items ?? []).filter(\.isCovered).map { .string($0.name) }),
    ]
    return JSONTree(of: report).text(.lines) + "\n"
  }
}
