import TrackingModel
import TrackingPlan
import TrackingRules

extension NoticedChanges {
  /// The findings that reports show.
  static let mostFindings = 10
  private static let mostRows = 100

  /// The figures in one line.
  var headline: String {
    var parts = [
      "seen \(events.count.counted("event")), \(params.count.counted("param"))", "asked for \(asked.textIfKnown)",
      "pinned \(pinned.textIfKnown)" + (count(.plan) > 0 ? ", \(count(.plan)) of them by the plan alone" : ""),
      "returned \(count(.returned))",
    ]
    if count(.untried) > 0 { parts.append("not tried \(count(.untried))") }
    if !requests.isEmpty { parts.append("requests asked for \(askedRequests.text)") }
    return parts.joined(separator: "   ")
  }

  /// A row for each event: the tests that see it and that ask for it, its pinned params, those that `require` returned, and the changes that a test notices.
  private var rows: [(name: String, cells: [String])] {
    events.sorted { $0.key < $1.key }.map { name, event in
      let params = event.params.values
      return (
        name,
        [
          "\(event.tests.count)", "\(event.askingTests.count)",
          params.isEmpty ? "-" : "\(event.pinned.covered)/\(event.pinned.all)",
          "\(params.count { $0.pin == .returned })",
          event.noticed.isEmpty ? "-" : event.noticedNames.joined(separator: ", "),
        ]
      )
    }
  }

  private static let columns = ["seen", "asked for", "pinned", "returned", "noticed"]

  /// The table by event, for a terminal.
  var table: [String] {
    let rows = rows
    guard !rows.isEmpty else { return [] }
    let width = min(40, rows.map(\.name.count).max() ?? 0)
    func line(_ name: String, _ cells: [String]) -> String {
      let columns = zip(cells, Self.columns).map { cell, title in
        // Numbers are aligned to the right.
        title == "noticed" ? cell : String(repeating: " ", count: max(0, title.count - cell.count)) + cell
      }
      return ([name.padding(toLength: max(width, name.count), withPad: " ", startingAt: 0)] + columns)
        .joined(separator: "  ")
    }
    let more = rows.count > Self.mostRows ? ["... \((rows.count - Self.mostRows).counted("more event"))"] : []
    return [line("", Self.columns)] + rows.prefix(Self.mostRows).map { line($0.name, $0.cells) } + more
  }

  /// The table by event, for Markdown.
  var markdownTable: [String] {
    let rows = rows
    guard !rows.isEmpty else { return [] }
    return ["| event | \(Self.columns.joined(separator: " | ")) |", "|---|---:|---:|---:|---:|---|"]
      + rows.prefix(Self.mostRows).map { "| \(MarkdownText.code($0.name)) | \($0.cells.joined(separator: " | ")) |" }
  }

  /// Rows of figures.
  var markdownRows: [String] {
    let shares = [("events that a test asks for", asked), ("params that are pinned", pinned)].map { name, share in
      "| \(name) | " + (share.all == 0 ? "not known | |" : "\(share.covered) of \(share.all) | \(share.percent) % |")
    }
    let counts = [
      ("of them by the plan alone", count(.plan)), ("params returned to the test", count(.returned)),
      ("params not tried", count(.untried)),
    ]
    .filter { $0.1 > 0 }.map { "| \($0.0) | \($0.1) | |" }
    return shares + counts
  }

  /// The findings that matter most.
  func findings(_ code: (String) -> String) -> [String] {
    let all = unnoticed
    let more = all.count - Self.mostFindings
    return all.prefix(Self.mostFindings).map { $0.sentence(code) } + (more > 0 ? ["... \(more) more"] : [])
  }

  /// Remarks on tests that the figures don't cover.
  var caveats: [String] {
    leftOut.sorted { $0.key < $1.key }.map { "mutants left out in \($0): \($1)" }
      + samples.sorted { $0.key < $1.key }.map {
        "mutants of \($0) chosen from \($1.of) at random, with the seed \($1.seed)"
      }
  }

  /// The figures and findings as JSON.
  package var value: TrackingValue {
    func share(_ share: CoverageShare) -> TrackingValue {
      ["covered": .int(share.covered), "all": .int(share.all), "percent": .int(share.percent)]
    }
    return [
      "tests": .int(tests.count), "asked": share(asked), "pinned": share(pinned), "pinnedByPlan": .int(count(.plan)),
      "returned": .int(count(.returned)), "paramsNotTried": .int(count(.untried)),
      "leftOut": .array(
        leftOut.sorted { $0.key < $1.key }.map { ["test": .string($0), "reason": .string($1)] }),
      "samples": .array(
        samples.sorted { $0.key < $1.key }.map {
          ["test": .string($0), "of": .int($1.of), "seed": .string("\($1.seed)")]
        }),
      "events": .array(events.sorted { $0.key < $1.key }.map { Self.value(of: $0, $1) }),
      "requests": .array(requests.sorted { $0.key < $1.key }.map { Self.value(of: $0, $1) }),
      "findings": .array(unnoticed.map(\.value)),
    ]
  }

  private static func value(of name: String, _ subject: Subject) -> TrackingValue {
    [
      "name": .string(name), "seen": .int(subject.tests.count),
      "noticed": .array(subject.noticedNames.map { .string($0) }),
      "asked": .array(subject.askingTests.sorted().map { .string($0) }),
      "params": .array(
        subject.params.sorted { $0.key < $1.key }.map { path, param in
          [
            "path": .string(path), "seen": .int(param.tests.count), "pinned": .string(param.pin.rawValue),
            "partly": param.isPinned ? .null : param.partly.map { .string($0.rawValue) } ?? .null,
            "tests": .array(
              param.tests.filter { $1.pinned == .question || $1.pinned == .plan }.keys.sorted().map { .string($0) }),
          ]
        }),
    ]
  }
}

extension NoticedChanges.Subject {
  fileprivate var noticedNames: [String] {
    MutationReport.Change.allCases.filter { noticed.contains($0) }.map(\.rawValue)
  }
}
