import TrackingModel
import TrackingPlan

extension NoticedChanges {
  /// The maximum number of findings in reports.
  static let mostFindings = 10
  private static let mostRows = 100

  var headline: String {
    var parts = [
      "seen \(events.count.counted("event")), \(params.count.counted("param"))", "checked \(checked.textIfKnown)",
      "doubles noticed \(doubled.textIfKnown)",
      "pinned \(pinned.textIfKnown)" + (count(.plan) > 0 ? ", \(count(.plan)) of them by the plan alone" : ""),
      "returned \(count(.returned))",
    ]
    if count(.untried) > 0 { parts.append("not tried \(count(.untried))") }
    if !requests.isEmpty { parts.append("requests checked \(checkedRequests.text)") }
    return parts.joined(separator: "   ")
  }

  /// Adds a row for each event: the tests that see it and that check it, its pinned params, those that `require` returned, and the changes that a
  /// test notices.
  func writeTable(_ page: inout ReportPage) {
    let rows = events.sorted { $0.key < $1.key }.map { name, event -> [ReportText] in
      let params = event.params.values
      return [
        "\(code: name)", "\(event.tests.count)", "\(event.checkingTests.count)",
        params.isEmpty ? "-" : "\(event.pinned.covered)/\(event.pinned.all)",
        "\(params.count { $0.pin == .returned })",
        event.noticed.isEmpty ? "-" : "\(event.noticedNames.joined(separator: ", "))",
      ]
    }
    page.table(
      "By event",
      [
        .text("event"), .number("seen"), .number("checked"), .number("pinned"), .number("returned"), .text("noticed"),
      ],
      rows.prefix(Self.mostRows)
        + (rows.count > Self.mostRows ? [["... \((rows.count - Self.mostRows).counted("more event"))"]] : []),
      isFolded: true)
  }

  var figures: [[ReportText]] {
    let counts = [
      ("of them by the plan alone", count(.plan)), ("params returned to the test", count(.returned)),
      ("params not tried", count(.untried)),
    ]
    return [
      Self.row("events that a test checks", checked, isKnown: checked.all > 0),
      Self.row("events that a test notices when doubled", doubled, isKnown: doubled.all > 0),
      Self.row("params that are pinned", pinned, isKnown: pinned.all > 0),
    ]
      + counts.filter { $0.1 > 0 }.map { ["\($0.0)", "\($0.1)", ""] }
  }

  static func row(_ name: String, _ share: CoverageShare, isKnown: Bool = true) -> [ReportText] {
    isKnown
      ? ["\(name)", "\(share.covered) of \(share.all)", "\(share.percent) %"] : ["\(name)", "not known", ""]
  }

  var findings: [ReportText] { unnoticed.map(\.sentence).shortened(to: Self.mostFindings) }

  /// Notes on tests that the figures don't cover.
  var caveats: [String] {
    leftOut.sorted { $0.key < $1.key }.map { "mutants left out in \($0): \($1)" }
      + samples.sorted { $0.key < $1.key }.map {
        "mutants of \($0) chosen from \($1.of) at random, with the seed \($1.seed)"
      }
  }

  var value: TrackingValue {
    [
      "tests": .int(tests.count), "checked": checked.value, "doubled": doubled.value, "pinned": pinned.value,
      "pinnedByPlan": .int(count(.plan)),
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
      "checked": .array(subject.checkingTests.sorted().map { .string($0) }),
      "params": .array(
        subject.params.sorted { $0.key < $1.key }.map { path, param in
          [
            "path": .string(path), "seen": .int(param.tests.count), "pinned": .string(param.pin.rawValue),
            "partly": param.isPinned ? .null : param.partly.map { .string($0.rawValue) } ?? .null,
            "tests": .array(
              param.tests.filter { $1.pinned == .check || $1.pinned == .plan }.keys.sorted().map { .string($0) }),
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
