import TrackingServer

/// Each stub of the verifier is asked, and all answers of its sequence are sent.
struct UnusedStubsQuestion: QuestionForm {
  var kinds: EntryKinds { .requests }
  var interest: JournalInterest { JournalInterest(in: kinds, revisions: true) }
  var description: String { "every stub to be used" }
  var scope: QuestionScope { .stubs }

  func evaluation(in setting: QuestionSetting) -> any Evaluation { UnusedStubsEvaluation(in: setting) }
}

extension Verification {
  /// Each stub of the verifier is asked, and all answers of its sequence or of its `times:` are sent.
  ///
  /// Among ``TrackingVerifier/Configuration/checksAtStop`` it fails the test at the line of each stub that wasn't used.
  public static var noUnusedStubs: Verification { Verification(UnusedStubsQuestion()) }
}

/// Waits until each stub was used.
private struct UnusedStubsEvaluation: Evaluation {
  private let setting: QuestionSetting
  private var sentences: [String]

  init(in setting: QuestionSetting) {
    self.setting = setting
    sentences = setting.unusedStubs
  }

  var state: QuestionState { sentences.isEmpty ? .met : .open }
  var matched: [JournalEntry] { [] }

  func take(_ entry: JournalEntry) -> Bool { false }

  mutating func look(at timeline: any QuestionTimeline) {
    sentences = setting.unusedStubs
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    Explanation(kind: .unusedStub, result: sentences.joined(separator: "\n"))
  }
}
