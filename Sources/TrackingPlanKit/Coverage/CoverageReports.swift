import Foundation
import TrackingJSON
import TrackingModel
import TrackingRules
import TrackingPlan

/// The formats of a coverage report.
package enum CoverageFormat: String, CaseIterable, Sendable {
  case text, markdown, json, lcov, github
}

extension Coverage {
  /// Returns the report in a format; it ends with a line feed.
  package func report(as format: CoverageFormat) -> String {
    switch format {
    case .text: text
    case .markdown: markdown
    case .json: json
    case .lcov: lcov
    case .github: github
    }
  }

  var neverArrived: [Event] { events.filter { $0.state == .neverArrived } }
  var unverified: [Event] { events.filter { $0.state == .arrived } }

  /// The uncovered params of events that arrived.
  ///
  /// An event that never arrived is reported without its params.
  private var openParams: [(event: Event, param: Param)] {
    events.filter { $0.state != .neverArrived }
      .flatMap { event in event.params.filter { $0.open != nil }.map { (event, $0) } }
  }

  var unseenValues: [(event: Event, param: Param, value: Value)] {
    events.filter { $0.state != .neverArrived }
      .flatMap { event in
        event.params.filter { $0.seen > 0 }.flatMap { param in
          param.values.filter { !$0.isSeen }.map { (event, param, $0) }
        }
      }
  }

  var headline: String {
    "\(events.count.counted("event")) planned: \(verified.covered) verified, "
      + "\(unverified.count) arrived but not verified, "
      + "\(neverArrived.count) never arrived"
  }

  /// Notes on data that is missing from the figures.
  private var caveats: [String] {
    var lines: [String] = []
    func add(_ count: Int, _ noun: String, _ text: String) {
      if count > 0 { lines.append("\(count.counted(noun)) \(text)") }
    }
    add(observed.tornLines, "incomplete line", "skipped, from processes that were killed")
    add(observed.olderRuns, "earlier test run", "left out; --all-runs counts all")
    add(observed.repetitions, "observation", "left out, of tests that were repeated afterwards")
    add(observed.droppedEvents, "event", "dropped because a test saw more than 5000 names")
    add(observed.droppedPaths, "param", "dropped because a test saw more than 500")
    lines += noticed?.caveats ?? []
    return lines
  }

  // MARK: Text

  private var text: String {
    var lines = TextSections(
      ["\(headline).   params \(params.text)   values \(values.text)"] + (noticed.map { [$0.headline] } ?? []))
    lines.add("never arrived", neverArrived.map { "\($0.event.name) (\(Self.short($0.event.place)))" })
    lines.add(
      "not verified",
      unverified.map { "\($0.event.name) (\(CountWords.times($0.count)) in \($0.tests.counted("test")))" })
    lines.add(
      "params",
      openParams.map {
        "\($0.event.event.name).\($0.param.param.path): \($0.param.open ?? "") (\(Self.short($0.param.param.place)))"
      })
    lines.add(
      "values never seen",
      unseenValues.map {
        "\($0.event.event.name).\($0.param.param.path): \($0.value.value) (\(Self.short($0.value.place)))"
      })
    lines.add("not in the plan", unplanned.map(\.sentence))
    lines.add("not noticed", noticed?.findings { $0 } ?? [])
    lines.add("checked", [checks.sentence])
    lines.add("note", caveats)
    lines.add(table: noticed?.table ?? [])
    return lines.text
  }

  private static func short(_ place: PlanPlace) -> String { "line \(place.line)" }

  // MARK: Markdown

  private var markdown: String {
    var lines = [
      "## Coverage of \(MarkdownText.escaped(planName))", "", "| | covered | |", "|---|---:|---:|",
    ]
    for (name, share) in [
      ("events that arrived", arrived), ("events that a test verified", verified), ("params", params),
      ("values", values),
    ] {
      lines.append("| \(name) | \(share.covered) of \(share.all) | \(share.percent) % |")
    }
    lines += noticed?.markdownRows ?? []
    func section(_ title: String, _ items: [String]) {
      guard !items.isEmpty else { return }
      lines += ["", "**\(title)**", ""] + items.map { "- \($0)" }
    }
    section("Never arrived", neverArrived.map { MarkdownText.code($0.event.name) })
    section(
      "Arrived but not verified",
      unverified.map {
        "\(MarkdownText.code($0.event.name)), \(CountWords.times($0.count)) in \($0.tests.counted("test"))"
      })
    section(
      "Params",
      openParams.map { "\(MarkdownText.code("\($0.event.event.name).\($0.param.param.path)")): \($0.param.open ?? "")" }
    )
    section(
      "Values never seen",
      unseenValues.map {
        "\(MarkdownText.code("\($0.event.event.name).\($0.param.param.path)")): \(MarkdownText.code("\($0.value.value)"))"
      })
    section("Not in the plan", unplanned.map { MarkdownText.escaped($0.sentence) })
    section("Not noticed", noticed?.findings(MarkdownText.code) ?? [])
    section("Checked", [MarkdownText.escaped(checks.sentence)])
    section("Note", caveats.map(MarkdownText.escaped))
    if let table = noticed?.markdownTable, !table.isEmpty {
      lines += ["", "<details><summary>By event</summary>", ""] + table + ["", "</details>"]
    }
    return lines.map(\.onOneLine).joined(separator: "\n") + "\n"
  }

  // MARK: JSON

  private var json: String {
    func value(_ share: CoverageShare) -> TrackingValue {
      ["covered": .int(share.covered), "all": .int(share.all), "percent": .int(share.percent)]
    }
    let report: TrackingValue = [
      "plan": .string(planName), "arrived": value(arrived), "verified": value(verified), "params": value(params),
      "values": value(values), "tests": .int(observed.plans.count), "tornLines": .int(observed.tornLines),
      "checks": checks.value, "noticed": noticed?.value ?? .null,
      "events": .array(events.map(\.value)),
      "unplanned": .array(
        unplanned.map { event in
          [
            "name": .string(event.name), "count": .int(event.count), "tests": .array(event.tests.map { .string($0) }),
            "nearest": event.nearest.map { .string($0) } ?? .null,
          ]
        }),
      // Compared by `--baseline`.
      "covered": .array(items.filter(\.isCovered).map { .string($0.name) }),
    ]
    return JSONTree(of: report).text(.lines) + "\n"
  }
}

extension Coverage.Unplanned {
  /// The event in one sentence: `cart_shwon, 3 times in CartUITests.testCart; the nearest is cart_shown`.
  var sentence: String {
    let place = tests.count == 1 ? tests[0] : tests.count.counted("test")
    return "\(name), \(CountWords.times(count)) in \(place)" + (nearest.map { "; the nearest is \($0)" } ?? "")
  }
}

extension Coverage.Event {
  fileprivate var value: TrackingValue {
    [
      "name": .string(event.name), "state": .string(state.rawValue), "count": .int(count), "tests": .int(tests),
      "line": .int(event.place.line), "file": .string(event.place.file),
      "params": .array(
        params.map { param in
          [
            "path": .string(param.param.path), "seen": .int(param.seen),
            "open": param.open.map { .string($0) } ?? .null,
            "unseenValues": .array(param.values.filter { !$0.isSeen }.map(\.value)),
          ]
        }),
    ]
  }
}
