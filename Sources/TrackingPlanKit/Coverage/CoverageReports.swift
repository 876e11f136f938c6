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

  private var neverArrived: [Event] { events.filter { $0.state == .neverArrived } }
  private var unverified: [Event] { events.filter { $0.state == .arrived } }

  /// The uncovered params of events that arrived.
  ///
  /// An event that never arrived is reported without its params.
  private var openParams: [(event: Event, param: Param)] {
    events.filter { $0.state != .neverArrived }
      .flatMap { event in event.params.filter { $0.open != nil }.map { (event, $0) } }
  }

  private var unseenValues: [(event: Event, param: Param, value: Value)] {
    events.filter { $0.state != .neverArrived }
      .flatMap { event in
        event.params.filter { $0.seen > 0 }.flatMap { param in
          param.values.filter { !$0.isSeen }.map { (event, param, $0) }
        }
      }
  }

  private var headline: String {
    "\(events.count.counted("event")) planned: \(verified.covered) verified, "
      + "\(unverified.count) arrived but not verified, "
      + "\(neverArrived.count) never arrived"
  }

  /// Notes on data that is missing from the figures.
  private var caveats: [String] {
    var lines: [String] = []
    func add(_ count: Int, _ text: String) { if count > 0 { lines.append("\(count) \(text)") } }
    add(
      observed.tornLines,
      "incomplete line\(observed.tornLines == 1 ? "" : "s") skipped, from processes that were killed"
    )
    add(observed.olderRuns, "earlier test run\(observed.olderRuns == 1 ? "" : "s") left out; --all-runs counts all")
    add(
      observed.repetitions,
      "observation\(observed.repetitions == 1 ? "" : "s") left out, of tests that were repeated afterwards")
    add(observed.droppedEvents, "events dropped because their tests saw more than 5000 names")
    add(observed.droppedPaths, "params dropped because their tests saw more than 500")
    return lines
  }

  // MARK: Text

  private var text: String {
    var lines = ["\(headline).   params \(params.text)   values \(values.text)"]
    func section(_ title: String, _ items: [String]) {
      guard let first = items.first else { return }
      let label = (title + ":").padding(toLength: 20, withPad: " ", startingAt: 0)
      lines.append(label + first)
      lines += items.dropFirst().map { String(repeating: " ", count: 20) + $0 }
    }
    lines.append("")
    section("never arrived", neverArrived.map { "\($0.event.name) (\(Self.short($0.event.place)))" })
    section(
      "not verified", unverified.map { "\($0.event.name) (\(Self.times($0.count)) in \(Self.tests($0.tests)))" })
    section(
      "params",
      openParams.map {
        "\($0.event.event.name).\($0.param.param.path): \($0.param.open ?? "") (\(Self.short($0.param.param.place)))"
      })
    section(
      "values never seen",
      unseenValues.map {
        "\($0.event.event.name).\($0.param.param.path): \($0.value.value) (\(Self.short($0.value.place)))"
      })
    section("not in the plan", unplanned.map(\.sentence))
    section("checked", [checks.sentence])
    section("note", caveats)
    while lines.last == "" { lines.removeLast() }
    return lines.map(\.onOneLine).joined(separator: "\n") + "\n"
  }

  private static func short(_ place: PlanPlace) -> String { "line \(place.line)" }
  fileprivate static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
  fileprivate static func tests(_ count: Int) -> String { count == 1 ? "1 test" : "\(count) tests" }

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
    func section(_ title: String, _ items: [String]) {
      guard !items.isEmpty else { return }
      lines += ["", "**\(title)**", ""] + items.map { "- \($0)" }
    }
    section("Never arrived", neverArrived.map { MarkdownText.code($0.event.name) })
    section(
      "Arrived but not verified",
      unverified.map { "\(MarkdownText.code($0.event.name)), \(Self.times($0.count)) in \(Self.tests($0.tests))" })
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
    section("Checked", [MarkdownText.escaped(checks.sentence)])
    section("Note", caveats)
    return lines.map(\.onOneLine).joined(separator: "\n") + "\n"
  }

  // MARK: JSON

  private var json: String {
    func value(_ share: Share) -> TrackingValue {
      ["covered": .int(share.covered), "all": .int(share.all), "percent": .int(share.percent)]
    }
    let report: TrackingValue = [
      "plan": .string(planName), "arrived": value(arrived), "verified": value(verified), "params": value(params),
      "values": value(values), "tests": .int(observed.plans.count), "tornLines": .int(observed.tornLines),
      "checks": checks.value,
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

  // MARK: LCOV

  /// The plan's files as sources.
  ///
  /// The line of an event or param counts its occurrences, the line of a value is hit if it was seen.
  private var lcov: String {
    var hits: [String: [Int: Int]] = [:]
    func hit(_ place: PlanPlace, _ count: Int) {
      // A line with several items is covered if all of them are.
      hits[place.file, default: [:]][place.line] = min(hits[place.file]?[place.line] ?? .max, count)
    }
    for event in events {
      hit(event.event.place, event.count)
      for param in event.params {
        hit(param.param.place, param.open == nil ? param.seen : 0)
        for value in param.values { hit(value.place, value.isSeen ? 1 : 0) }
      }
    }
    var lines: [String] = []
    for (file, counts) in hits.sorted(by: { $0.key < $1.key }) {
      lines += ["TN:tracking-plan", "SF:\(file)"]
      lines += counts.sorted { $0.key < $1.key }.map { "DA:\($0.key),\($0.value)" }
      lines += ["LF:\(counts.count)", "LH:\(counts.values.count { $0 > 0 })", "end_of_record"]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: GitHub

  /// Annotations for GitHub, which shows ten per kind and step: the ten most severe, and the number of the others.
  private var github: String {
    var all: [(place: PlanPlace?, text: String)] = []
    all += unplanned.map { (nil, "\($0.sentence) (not in the plan)") }
    all += neverArrived.map { ($0.event.place, "\($0.event.name) never arrived in any test") }
    all += unverified.map {
      ($0.event.place, "\($0.event.name) arrived \(Self.times($0.count)) but no test verified it")
    }
    all += unseenValues.map {
      ($0.value.place, "\($0.event.event.name).\($0.param.param.path): \($0.value.value) was never seen")
    }
    var lines = all.prefix(10).map { place, text in
      let where_ = place.map { " file=\(Self.property($0.file)),line=\($0.line)" } ?? ""
      return "::warning\(where_)::\(Self.message(text))"
    }
    if all.count > 10 {
      lines.append("::notice::\(all.count - 10) more findings about the tracking plan's coverage are in the report")
    }
    lines.append("::notice::\(Self.message(headline)); \(Self.message(checks.sentence))")
    return lines.map { $0 + "\n" }.joined()
  }

  private static func message(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

extension Coverage.Unplanned {
  /// The event in one sentence: `cart_shwon, 3 times in CartUITests.testCart; the nearest is cart_shown`.
  fileprivate var sentence: String {
    let place = tests.count == 1 ? tests[0] : Coverage.tests(tests.count)
    return "\(name), \(Coverage.times(count)) in \(place)" + (nearest.map { "; the nearest is \($0)" } ?? "")
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
