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
  let question: String
  /// Seconds of the wait.
  let timeout: TimeInterval
  /// The late entries.
  let timeline: Timeline
  /// The sentences about entries that can't be read.
  var doubts: [String] = []
  /// The sentence about the call sites of the late events.
  var callSites: String?
  /// The line of the wait.
  package var location = CodeLocation.wholeTest

  package var kind: CheckFailure.Kind {
    switch finding {
    case .answered: .late
    case .exceeded, .expectationExceeded: .tooMany
    }
  }

  package var text: String {
    let shown = FailureReport.longestList
    let lines = timeline.lines(shown: shown).map { "    \($0)" }
    let rest = timeline.rows.count - lines.count
    return
      ([headline] + lines + (rest > 0 ? ["    ... and \(rest) more"] : [])
      + (callSites.map { [Excerpt.wrapped($0)] } ?? []) + doubts.prefix(3).map { Excerpt.wrapped($0) })
      .joined(separator: "\n")
  }

  private var headline: String {
    let question = Excerpt.of(question, width: 4 * Excerpt.columns)
    switch finding {
    case .answered(let time):
      let when = time.map { "\(TimeText.duration($0)) after the deadline" } ?? "after the deadline."
      return """
        \(Excerpt.wrapped("Waited \(TimeText.seconds(timeout)) for \(question)", indent: 4))
        \(Excerpt.wrapped("The answer arrived \(when)\(time == nil ? "" : ":")"))
        """
    case .exceeded(let count):
      return """
        \(Excerpt.wrapped("Waited for \(question)", indent: 4))
        \(Self.extras(count)) arrived after the wait had succeeded, and no other wait asked for \(count == 1 ? "it" : "them"):
        """
    case .expectationExceeded(let count):
      return """
        \(Excerpt.wrapped("Expected \(question)", indent: 4))
        \(Self.extras(count)) arrived, and no wait asked for \(count == 1 ? "it" : "them"):
        """
    }
  }

  private static func extras(_ count: Int) -> String { count == 1 ? "One too many" : "\(count) too many" }
}

extension LateReport {
  package init(_ late: LateFinding) {
    let (reading, finding, entries): (Reading, Finding, [JournalEntry])
    switch late {
    case .answered(let answered):
      let answer = answered.answer
      finding = .answered(after: answer.map { $0.instant - answered.scale.deadline })
      (reading, entries) = (answered, answer.map { [$0.entry] } ?? [])
    case .exceeded(let exceeded, let extras):
      finding = exceeded.isOfExpectation ? .expectationExceeded(by: extras.count) : .exceeded(by: extras.count)
      (reading, entries) = (exceeded, extras)
    }
    self.init(
      finding: finding, question: reading.question.words, timeout: reading.question.timeout,
      timeline: Timeline(of: entries, on: reading.scale.withoutDeadline),
      doubts: entries.compactMap { entry in
        guard case .undecided(let reason) = reading.question.verification.form.patterns.first?.match(entry) else {
          return nil
        }
        return Doubt(entry: entry, reason: reason).sentence("#\(entry.number)")
      }, callSites: CallSiteNames(among: entries).sentence(about: entries), location: reading.question.location)
  }
}
