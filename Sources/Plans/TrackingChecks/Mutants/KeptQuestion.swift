import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingQuestions
import TrackingServer
import TrackingVerifier

/// A question that a test has asked, with its answer, so that it can be asked again of a changed timeline.
struct KeptQuestion: Sendable {
  /// The question, or a check of another module.
  enum Subject: Sendable {
    /// A wait from one moment to another.
    case wait(AskedQuestion, began: ContinuousClock.Instant, ended: ContinuousClock.Instant)
    /// An expectation of XCTest, which has no end before the stop.
    case expectation(AskedQuestion)
    /// A check at the stop.
    case stop(AskedQuestion)
    /// A check of another module.
    case steps(StepCheck)
  }

  /// The part of an answer that the test has received.
  enum Returned: Sendable {
    case nothing
    /// Events that the test may have discarded.
    case discardable
    /// Events that the test has required, or an outcome that it may check.
    case required
  }

  let subject: Subject
  /// Entries from before it are not looked at.
  let origin: JournalMark
  let location: CodeLocation
  /// The question in words that can follow "waited for".
  let words: String
  /// The number of the first entry that arrived after the answer: the test had gone on by then.
  let end: Int
  /// The number of resets before it.
  let resets: Int
  /// The number of the first entry that it hadn't looked at when it was answered.
  var looked = Int.max
  /// Whether the answer was yes; `nil` if only XCTest knows.
  var isGood: Bool?
  /// The numbers of the entries that the answer named, in their order.
  var matched: [Int] = []
  /// The part of its answer that the test has received.
  var returned = Returned.nothing
  /// The answers of a closure that isn't kept, by event; it has been asked about the received events and about their nearest mutants.
  var closureAnswers: [TrackingEvent: Bool] = [:]

  /// The question; `nil` for a check of another module.
  var question: AskedQuestion? {
    switch subject {
    case .wait(let question, _, _), .expectation(let question), .stop(let question): question
    case .steps: nil
    }
  }

  /// Whether the test reports its answer, or doesn't, so that nothing is known to be noticed by it.
  var isSilent: Bool { question?.isSilent ?? false }

  /// A request as it was when the question was answered: an answer may have been sent later.
  func seen(_ entry: JournalEntry) -> JournalEntry {
    guard case .wait(_, _, let ended) = subject, let request = entry.request, let sending = request.sending,
      sending.instant > ended
    else { return entry }
    return .request(request.unanswered)
  }

  /// Whether it asks about a tracking plan.
  var isPlan: Bool { question?.verification.form.rule is any OutlinedRule }

  /// The condition on an event or a request, in words that can follow "waits for it": `by name`.
  func assertion(about entry: JournalEntry) -> String? {
    guard let question else { return "by a recorded flow" }
    let pattern = question.verification.form.patterns.first { $0.matchesWithoutClosures(entry) != false }
    switch entry {
    case .event:
      guard let assertion = pattern?.events?.assertion else { return nil }
      // A closure that refused no value may be the default one.
      return closureAnswers.values.contains(false) ? "\(assertion) and a closure" : assertion
    case .request: return pattern.map { "\($0)" }
    case .rejection: return nil
    }
  }
}

/// A test that has ended, as it can be asked again.
struct KeptTest: Sendable {
  /// The test's name, as its framework writes it.
  let name: String
  /// Everything that it received, in the order of arrival.
  let entries: [JournalEntry]
  /// Its questions, in the order of their answers.
  let questions: [KeptQuestion]
  /// The numbers of the first entries after each reset.
  var resets: [Int] = []
  var lost: [LostEvents] = []
  var redelivered: [Redelivery] = []
  /// Whether closures of the test may run again.
  var runsClosures = true
}
