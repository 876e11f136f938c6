import Foundation

extension BackendRecording {
  /// Writes the recording to a folder, without its secrets; files of an earlier recording that it doesn't need any more are removed.
  ///
  /// - Returns: The values that were left out, because a secret was left in them after the redaction.
  /// - Throws: `RecordingError` if the folder can't be written.
  @discardableResult
  public func write(to folder: URL, redaction: SecretRedaction = SecretRedaction()) throws -> [SecretLeak] {
    try write(
      to: folder, redaction, insteadOf: try? BackendRecording(contentsOf: folder), repeating: exchanges.count
    ).leaks
  }

  /// A recording as it was written.
  struct Written {
    let exchanges: [RecordedExchange]
    /// The indices of the exchanges in the recording that was to be written.
    let kept: [Int]
    let leaks: [SecretLeak]
  }

  /// - Parameters:
  ///   - old: The recording whose unchanged lines stay.
  ///   - count: How many exchanges are those of earlier tests, which need not be repeated.
  func write(
    to folder: URL, _ redaction: SecretRedaction, insteadOf old: BackendRecording?, repeating count: Int
  ) throws -> Written {
    try redaction.check()
    var recording = self
    recording.exchanges = numbered
    let redacted = redaction.redacted(recording.exchanges, like: old?.redacted ?? [])
    recording.exchanges = redacted.exchanges
    let kept = recording.indicesWithoutRepetition(after: count)
    let isKept = Set(kept)
    let places = redacted.positions.filter { isKept.contains($0.exchange) }
      .map { "\(redacted.exchanges[$0.exchange].request.line): \($0)" }
    recording.redacted = Set(self.redacted + places).sorted()
    recording.exchanges = kept.map { recording.exchanges[$0] }
    if let old { recording.keepEpochs(of: old) }
    try RecordingFiles(recording, insteadOf: old).write(to: folder)
    return Written(exchanges: recording.exchanges, kept: kept, leaks: redacted.leaks)
  }

  /// Keeps the epochs of another recording of the same requests, where they make no difference.
  ///
  /// A request that is sent beside one that changes something is recorded before it or after it. That matters only if its answers differ.
  private mutating func keepEpochs(of old: BackendRecording) {
    let theirs = Dictionary(grouping: old.numbered) { RequestKey($0).inAnyEpoch }
    let own = Dictionary(grouping: exchanges.indices) { RequestKey(exchanges[$0]).inAnyEpoch }
    guard theirs.mapValues(\.count) == own.mapValues(\.count) else { return }
    for (key, indices) in own {
      let (mine, others) = (indices.map { exchanges[$0] }, theirs[key] ?? [])
      // Requests that change something are answered in sequence, in any epoch.
      guard zip(mine, others).allSatisfy({ $0.answer.isLike($1.answer) }),
        mine[0].request.changesSomething || mine.allSatisfy({ $0.answer.isLike(mine[0].answer) })
      else { continue }
      for (index, other) in zip(indices, others) { exchanges[index].epoch = other.epoch }
    }
  }

  /// The exchanges, without those of later tests that repeat earlier ones.
  private func indicesWithoutRepetition(after count: Int) -> [Int] {
    var earlier = Dictionary(grouping: exchanges.prefix(count), by: RequestKey.init).mapValues { $0[...] }
    return exchanges.indices.filter { index in
      guard index >= count else { return true }
      let key = RequestKey(exchanges[index])
      guard let next = earlier[key]?.first, next.answer.isLike(exchanges[index].answer) else { return true }
      _ = earlier[key]?.popFirst()
      return false
    }
  }
}
