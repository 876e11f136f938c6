import TrackingServer

/// Each stub of the verifier is requested, and all responses of its sequence are sent.
struct UnusedStubsCheck: CheckForm {
  var kinds: EntryKinds { .requests }
  var interest: JournalInterest { JournalInterest(in: kinds, revisions: true) }
  var description: String { "every stub to be used" }
  var scope: CheckScope { .stubs }

  func evaluation(in setting: CheckContext) -> any Evaluation { UnusedStubsEvaluation(in: setting) }
}

extension TrackingCheck<CheckOutcome> {
  /// Each stub of the verifier is requested, and all responses of its sequence or of its `times:` are sent.
  ///
  /// Among ``TrackingVerifier/Configuration/checksAtStop`` it fails the test at the line of each stub that wasn't used.
  public static var noUnusedStubs: TrackingCheck<CheckOutcome> { TrackingCheck<CheckOutcome>(UnusedStubsCheck()) }
}

/// Waits until each stub was used.
private struct UnusedStubsEvaluation: Evaluation {
  private let setting: CheckContext
  private var unused: [UnusedStub]

  init(in setting: CheckContext) {
    self.setting = setting
    unused = setting.unusedStubs
  }

  var state: CheckState { unused.isEmpty ? .met : .open }
  var matched: [JournalEntry] { [] }

  func take(_ entry: JournalEntry) -> Bool { false }

  mutating func look(at timeline: any EntryTimeline) {
    unused = setting.unusedStubs
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    Explanation(kind: .unusedStub, result: unused.map { $0.sentence(isOver: scale.isOver) }.joined(separator: "\n"))
  }
}

/// A stub that hasn't sent all of its responses.
package struct UnusedStub: Sendable {
  /// The method, the path and the conditions: `POST /orders`.
  private let name: String
  /// The number of its responses so far, and of those that are left.
  private let count: Int
  private let unusedResponses: Int
  /// The line that installed it, if the sentence names it: `CartTests.swift:31`.
  private let place: String?

  package init(_ name: String, count: Int, unusedResponses: Int, place: String? = nil) {
    (self.name, self.count, self.unusedResponses, self.place) = (name, count, unusedResponses, place)
  }

  /// The finding about it.
  package func sentence(isOver: Bool = true) -> String {
    let subject = "The stub \(name)\(place.map { " at \($0)" } ?? "")"
    guard count > 0 else { return "\(subject) \(isOver ? "was never asked" : "has not been asked yet")." }
    let answers = unusedResponses == 1 ? "its last answer" : "its last \(unusedResponses) answers"
    let verb =
      isOver
      ? "\(unusedResponses == 1 ? "was" : "were") never sent"
      : "\(unusedResponses == 1 ? "has" : "have") not been sent yet"
    return "\(subject) was asked \(CountText.times(count)), and \(answers) \(verb)."
  }
}
