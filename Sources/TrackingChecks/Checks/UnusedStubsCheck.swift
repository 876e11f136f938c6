import TrackingPatterns
import TrackingServer

struct UnusedStubsCheck: CheckKind {
  private var context = CheckContext()
  private var unused: [UnusedStub] = []

  init() {}

  var kinds: EntryKinds { .requests }
  var interest: JournalInterest { JournalInterest(in: kinds, revisions: true) }
  var words: Headline { "every stub to be used" }
  var scope: CheckScope { .stubs }

  func begun(in context: CheckContext) -> any CheckKind {
    var check = self
    (check.context, check.unused) = (context, context.unusedStubs)
    return check
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if each stub of the verifier is requested, and all responses of its sequence or of its `times:` are sent.
  ///
  /// In ``TrackingVerifier/Configuration/checksAtStop``, it fails the test at the line of each unused stub.
  public static var noUnusedStubs: TrackingCheck<CheckOutcome> { TrackingCheck<CheckOutcome>(UnusedStubsCheck()) }
}

// MARK: - Reading

extension UnusedStubsCheck {
  var state: CheckState { unused.isEmpty ? .met : .open }
  var matched: [JournalEntry] { [] }

  func take(_ moment: TimelineMoment) -> Bool { false }

  mutating func look(at timeline: any EntryTimeline) {
    unused = context.unusedStubs
  }

  func explain(_ finding: Finding) -> Explanation {
    let isOver = finding.scale.isOver
    return Explanation(
      kind: .unusedStub, headline: UnusedStub.headline(on: unused, isOver: isOver),
      details: unused.count == 1 ? "" : unused.map { "\($0.finding(isOver: isOver).whole)." }.joined(separator: "\n"))
  }
}

/// A stub that hasn't sent all of its responses.
package struct UnusedStub: Sendable {
  /// The method, path and conditions: `POST /orders`.
  private let name: String
  /// The number of responses sent; `unusedResponses` is the number left.
  private let count: Int
  private let unusedResponses: Int
  /// The line that installed the stub, if the sentence names it: `CartTests.swift:31`.
  private let place: String?

  package init(_ name: String, count: Int, unusedResponses: Int, place: String? = nil) {
    (self.name, self.count, self.unusedResponses, self.place) = (name, count, unusedResponses, place)
  }

  package static func headline(on stubs: [UnusedStub], isOver: Bool = true) -> Headline {
    guard stubs.count > 1 else { return stubs.first?.finding(isOver: isOver) ?? "Each stub was used" }
    let verb = isOver ? "weren't used" : "haven't been used yet"
    return "\(stubs.count) stubs \(verb); the first is \(name: stubs[0].name)"
  }

  package func finding(isOver: Bool = true) -> Headline {
    let subject: Headline = "The stub \(name: name)\(place.map { " at \($0)" } ?? "")"
    guard count > 0 else { return "\(subject) \(isOver ? "was never requested" : "hasn't been requested yet")" }
    let responses = unusedResponses == 1 ? "its last response" : "its last \(unusedResponses) responses"
    let verb =
      isOver
      ? "\(unusedResponses == 1 ? "was" : "were") never sent"
      : "\(unusedResponses == 1 ? "hasn't" : "haven't") been sent yet"
    return "\(subject) was requested \(CountText.times(count)), and \(responses) \(verb)"
  }
}
