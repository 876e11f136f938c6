import Foundation
import TrackingPatterns
import TrackingServer

/// The text of a late finding, about a question whose wait had returned.
///
/// The text is a function of these values alone.
package struct LateReport {
  enum Finding {
    /// The answer arrived after the deadline, by this time; `nil` if the answer isn't an entry.
    case answered(after: Duration?)
    /// More arrived than the bound allows, by this number.
    case exceeded(by: Int)
    /// More arrived than an expectation allows, by this number; the time of XCTest's wait is unknown.
    case expectationExceeded(by: Int)
  }

  let finding: Finding
  /// The question in words.
  let call: String
  /// Seconds of the wait.
  let timeout: TimeInterval
  /// The late entries.
  let timeline: Timeline
  /// The sentences about entries that can't be read.
  var doubts: [String] = []
  /// The sentence about the call sites of the late events.
  var callSites: String?
  /// The line of the wait.
  var location = CodeLocation.wholeTest

  package var failure: CheckFailure { CheckFailure(kind: kind, message: text, location: location) }

  private var kind: CheckFailure.Kind {
    switch finding {
    case .answered: .late
    case .exceeded, .expectationExceeded: .tooMany
    }
  }

  var text: String {
    let shown = FailureReport.longestList
    let lines = timeline.lines(shown: shown).map { "    \($0)" }
    let rest = timeline.rows.count - lines.count
    return
      ([headline] + lines + (rest > 0 ? ["    ... and \(rest) more"] : [])
      + (callSites.map { [Excerpt.wrapped($0)] } ?? []) + doubts.prefix(3).map { Excerpt.wrapped($0) })
      .joined(separator: "\n")
  }

  private var headline: String {
    let call = Excerpt.of(call, width: 4 * Excerpt.columns)
    switch finding {
    case .answered(let time):
      let when = time.map { "\(TimeText.duration($0)) after the deadline" } ?? "after the deadline."
      return """
        \(Excerpt.wrapped("Waited \(TimeText.seconds(timeout)) for \(call)", indent: 4))
        \(Excerpt.wrapped("The answer arrived \(when)\(time == nil ? "" : ":")"))
        """
    case .exceeded(let count):
      return """
        \(Excerpt.wrapped("Waited for \(call)", indent: 4))
        \(Self.extras(count)) arrived after the wait had succeeded, and no other wait asked for \(count == 1 ? "it" : "them"):
        """
    case .expectationExceeded(let count):
      return """
        \(Excerpt.wrapped("Expected \(call)", indent: 4))
        \(Self.extras(count)) arrived, and no wait asked for \(count == 1 ? "it" : "them"):
        """
    }
  }

  private static func extras(_ count: Int) -> String { count == 1 ? "One too many" : "\(count) too many" }
}

extension LateReport {
  package init(_ late: LateFinding) {
    let (run, finding, entries): (CheckRun, Finding, [JournalEntry])
    switch late {
    case .answered(let answered):
      let answer = answered.answer
      finding = .answered(after: answer.map { $0.instant - answered.scale.deadline })
      (run, entries) = (answered, answer.map { [$0.entry] } ?? [])
    case .exceeded(let exceeded, let extras):
      finding = exceeded.isOfExpectation ? .expectationExceeded(by: extras.count) : .exceeded(by: extras.count)
      (run, entries) = (exceeded, extras)
    }
    self.init(
      finding: finding, call: run.call.words, timeout: run.call.timeout,
      timeline: Timeline(of: entries, on: run.scale.withoutDeadline),
      doubts: entries.compactMap { entry in
        guard case .undecided(let reason) = run.call.check.form.patterns.first?.match(entry) else {
          return nil
        }
        return UndecidedEntry(entry: entry, reason: reason).sentence("#\(entry.number)")
      }, callSites: CallSiteNames(among: entries).sentence(about: entries), location: run.call.location)
  }
}
