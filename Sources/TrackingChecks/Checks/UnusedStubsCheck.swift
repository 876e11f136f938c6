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
