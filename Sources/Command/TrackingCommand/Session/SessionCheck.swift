import TrackingModel
import TrackingRules
import TrackingPlan

/// Checks the events of a session against rules, as `tracking serve --plan` and a verifier's stop do.
struct SessionCheck {
  let session: SessionFile
  let findings: [EventFinding]

  init(of session: SessionFile, against rules: [any EventRule]) {
    self.session = session
    let names = session.callSiteNames
    findings = session.events.flatMap { entry in
      rules.flatMap { $0.findings(in: entry.event) }.map {
        EventFinding($0, in: entry.event, number: entry.number, of: session.name, names)
      }
    }
  }

  /// The findings that fail the check; the others are warnings, such as a deprecated event.
  var failures: [EventFinding] { findings.filter(\.finding.isFailure) }

  /// One line for each finding, and a summary for a session that passes.
  var lines: [String] {
    let lines = findings.map { "\(session.name): #\($0.number) \($0.event.name): \($0)" }
    guard failures.isEmpty, !session.events.isEmpty else { return lines }
    let result = findings.isEmpty ? "no findings" : findings.count.counted("warning")
    return lines + ["\(session.name): \(session.events.count.counted("event")), \(result)"]
  }

  /// Notes on parts of the session that aren't checked.
  var notes: [String] {
    [
      session.omitted > 0
        ? "\(session.omitted.counted("entry", plural: "entries")) left out when it was written: not checked" : nil,
      session.rejections > 0
        ? "\(session.rejections.counted("rejected submission")): not checked; `report` lists them" : nil,
      session.lost > 0 ? "\(session.lost.counted("event")) tracked and never received: not checked" : nil,
    ].compactMap { $0.map { "\(session.name): \($0)" } }
  }

  /// The reason that the check fails; `nil` if it passes.
  var failure: String? {
    guard !session.events.isEmpty else { return "\(session.name): contains no events, so nothing was checked" }
    guard !failures.isEmpty else { return nil }
    let events = Set(failures.map(\.number)).count
    return "\(session.name): \(failures.count.counted("finding")) in \(events) of "
      + session.events.count.counted("event")
  }
}
