import TrackingServer

/// Waits until each stub was used.
struct UnusedStubsEvaluation: Evaluation {
  private let unused: @Sendable () -> [String]
  private var sentences: [String]

  /// - Parameter unused: A sentence for each stub that wasn't used yet.
  init(_ unused: @escaping @Sendable () -> [String]) {
    self.unused = unused
    sentences = unused()
  }

  var state: QuestionState { sentences.isEmpty ? .met : .open }
  var matched: [JournalEntry] { [] }

  func take(_ entry: JournalEntry) -> Bool { false }

  mutating func look(at journal: Journal) {
    sentences = unused()
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    Explanation(kind: .unusedStub, result: sentences.joined(separator: "\n"))
  }
}
