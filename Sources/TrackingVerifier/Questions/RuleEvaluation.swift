import TrackingModel
import TrackingPatterns
import TrackingServer

/// Checks each event against a rule: the tracking plan, limits of a provider, no personal data.
struct RuleEvaluation: Evaluation {
  private let rule: any EventRule
  private let ignored: [EntryPattern]
  private var count = 0
  private var offenders: [(event: RecordedEvent, findings: [PlanFinding])] = []

  /// Events that a failure explains.
  private static let mostExplained = 10
  /// Findings of one event that a failure explains.
  private static let mostFindings = 12

  init(_ rule: any EventRule, ignoring patterns: [EntryPattern]) {
    self.rule = rule
    ignored = patterns
  }

  var state: QuestionState { offenders.isEmpty ? .holding : .broken }
  var matched: [JournalEntry] { offenders.map { JournalEntry.event($0.event) } }
  /// All received events are checked, because a mistake is often made more than once.
  var countsOn: Bool { true }

  mutating func take(_ entry: JournalEntry) -> Bool {
    guard let event = entry.event, !ignored.contains(where: { $0.matches(entry) }) else { return false }
    count += 1
    let findings = rule.findings(in: event.event)
    if findings.contains(where: \.isFailure) { offenders.append((event, findings)) }
    return true
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    let verb = offenders.count == 1 ? "is" : "are"
    var lines = ["\(offenders.count) of \(count.counted("event")) \(verb) not:"]
    for (event, findings) in offenders.prefix(Self.mostExplained) {
      let place = "    #\(event.number)  \(TimeText.offset(event.arrival - scale.began))  "
      lines.append(place + Excerpt.of("\(event.event)", width: max(40, Excerpt.columns - place.count)))
      lines += findings.prefix(Self.mostFindings).map { "        " + Self.line(of: $0) }
      if findings.count > Self.mostFindings { lines.append("        ... \(findings.count - Self.mostFindings) more") }
    }
    if offenders.count > Self.mostExplained { lines.append("    ... \(offenders.count - Self.mostExplained) more") }
    return Explanation(
      kind: .brokenRule, result: lines.joined(separator: "\n"),
      notes: Dictionary(offenders.map { ($0.event.number, "not as expected") }, uniquingKeysWith: { first, _ in first })
    )
  }

  /// The finding with its place: `quantity: "1" is a string, expected an integer (tracking-plan.json:14)`.
  private static func line(of finding: PlanFinding) -> String {
    let place = finding.place.map { " (\($0.file.split(separator: "/").last ?? ""):\($0.line))" } ?? ""
    return Excerpt.of("\(finding)\(place)", width: 3 * Excerpt.columns)
  }
}
