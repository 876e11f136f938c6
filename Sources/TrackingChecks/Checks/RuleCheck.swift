import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingServer

/// Checks each event against a rule: the tracking plan, limits of a provider, no personal data.
struct RuleCheck: CheckKind {
  /// `nil` for the tracking plan, which `with(plan:)` fills in.
  let rule: (any EventRule)?
  let ignored: [EntryPattern]
  private var reported = ReportedProblems.none
  private var count = 0
  private var offenders: [Offender] = []
  /// Events with findings that don't fail the test.
  private var discouraged: [Offender] = []

  private typealias Offender = (event: RecordedEvent, findings: [PlanFinding])

  init(rule: (any EventRule)?, ignored: [EntryPattern]) {
    (self.rule, self.ignored) = (rule, ignored)
  }

  var kinds: EntryKinds { .events }
  var interest: JournalInterest { JournalInterest(in: kinds, revisions: false) }
  var words: Headline {
    "\(name: rule?.expectation ?? "every event to match the tracking plan")\(exception)"
  }
  var problem: String? { patternProblem ?? ignoredProblem }
  var scope: CheckScope { .eachEntry }

  func with(plan: () -> (any EventRule)?) -> (any CheckKind)? {
    (rule ?? plan()).map { RuleCheck(rule: $0, ignored: ignored) }
  }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    RuleCheck(rule: rule, ignored: ignored.map(pattern))
  }

  func begun(in context: CheckContext) -> any CheckKind {
    var check = self
    check.reported = context.reported
    return check
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if every event follows the tracking plan: its name, its params, their values.
  ///
  /// The plan is ``TrackingVerifier/Configuration/plan``, or else the file that the variable `TRACKING_PLAN`
  /// names (`xcodebuild`: `TEST_RUNNER_TRACKING_PLAN`). Each `stop()` runs this check unless
  /// ``TrackingVerifier/Configuration/checksAtStop`` lacks it; `stop()` skips it if there is no plan.
  public static var plan: TrackingCheck<CheckOutcome> { .plan(ignoring: []) }

  /// Passes if every event except those to ignore follows the tracking plan: `.plan(ignoring: [.named("session_start")])`.
  public static func plan(ignoring patterns: [EntryPattern]) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(RuleCheck(rule: nil, ignored: patterns))
  }

  package static func rule(_ rule: any EventRule, ignoring patterns: [EntryPattern] = []) -> TrackingCheck<CheckOutcome>
  {
    TrackingCheck<CheckOutcome>(RuleCheck(rule: rule, ignored: patterns))
  }
}

extension TrackingCheck<CheckOutcome> {
  package var plan: PlanIdentity? {
    (kind.rule as? any OutlinedRule)?.identity
  }
}

// MARK: - Reading

extension RuleCheck {
  /// The maximum number of events in a failure.
  private static let mostExplained = 10
  /// The maximum number of findings for one event in a failure.
  private static let mostFindings = 12

  var state: CheckState { offenders.isEmpty ? .holding : .broken }
  var matched: [JournalEntry] { offenders.map { JournalEntry.event($0.event) } }
  /// Mistakes are often made more than once, so a failure lists all of them.
  var countsOn: Bool { true }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    let entry = moment.entry
    guard let rule, let event = entry.event, !ignored.contains(where: { $0.matches(entry) }) else { return false }
    count += 1
    guard !reported.contains(entry.number, against: rule.expectation) else { return true }
    let findings = rule.findings(in: event.event)
    if findings.contains(where: \.isFailure) {
      offenders.append((event, findings))
    } else if !findings.isEmpty {
      discouraged.append((event, findings))
    }
    return true
  }

  /// Lists the valid events that should no longer be sent, with the reasons; `nil` if there are none.
  func warning(on scale: Timescale) -> String? {
    guard !discouraged.isEmpty else { return nil }
    let verb = discouraged.count == 1 ? "is" : "are"
    let title = "\(discouraged.count) of \(count.counted("event")) \(verb) valid, but should no longer be sent:"
    let names = CallSiteNames(among: discouraged.map { .event($0.event) })
    return ([title] + Self.lines(of: discouraged, on: scale, names)).joined(separator: "\n")
  }

  func explain(_ finding: Finding) -> Explanation {
    let lines = Self.lines(of: offenders, on: finding.scale, CallSiteNames(among: finding.entries))
    return Explanation(
      kind: .brokenRule, headline: headline, details: lines.joined(separator: "\n"),
      notes: Dictionary(offenders.map { ($0.event.number, "breaks the rule") }, uniquingKeysWith: { first, _ in first })
    )
  }

  private var headline: Headline {
    guard let (event, findings) = offenders.first, let rule else { return "No event breaks the rule" }
    let number = "\(offenders.count) of \(count.counted("event")) \(rule.broken(by: offenders.count))"
    let finding = findings.first.map { "\($0)" } ?? ""
    return "\(number): #\(event.number), \(name: VisibleText.of(event.event.name)), \(foreign: finding)"
  }

  private static func lines(of offenders: [Offender], on scale: Timescale, _ names: CallSiteNames) -> [String] {
    var lines: [String] = []
    for (event, findings) in offenders.prefix(mostExplained) {
      let place = "    #\(event.number)  \(TimeText.offset(event.arrival - scale.began))  "
      lines.append(place + Excerpt.of("\(event.event)", width: max(40, Excerpt.columns - place.count)))
      if let site = event.event.callSite { lines.append("        tracked at \(names.name(of: site))") }
      lines += findings.prefix(mostFindings).map { "        " + line(of: $0) }
      if findings.count > mostFindings { lines.append("        ... \(findings.count - mostFindings) more") }
    }
    if offenders.count > mostExplained { lines.append("    ... \(offenders.count - mostExplained) more") }
    return lines
  }

  /// Returns the finding with its place: `quantity: "1" is a string, expected an integer (tracking-plan.json:14)`.
  private static func line(of finding: PlanFinding) -> String {
    let place = finding.place.map { " (\($0.file.split(separator: "/").last ?? ""):\($0.line))" } ?? ""
    return Excerpt.of("\(finding)\(place)", width: 3 * Excerpt.columns)
  }
}
