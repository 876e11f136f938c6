import Foundation

extension BackendRecording {
  /// Writes the recording to a folder, without its secrets; files of an earlier recording that it doesn't need any more are removed.
  ///
  /// - Throws: `RecordingError` if a secret is left in a file, or the folder can't be written; then nothing is.
  public func write(to folder: URL, redaction: SecretRedaction = SecretRedaction()) throws {
    _ = try write(
      to: folder, redaction, insteadOf: try? BackendRecording(contentsOf: folder), repeating: exchanges.count)
  }

  /// - Parameters:
  ///   - old: The recording whose unchanged lines stay.
  ///   - count: How many exchanges are those of earlier tests, which need not be repeated.
  /// - Returns: The exchanges as they were written, and their indices in this recording.
  func write(
    to folder: URL, _ redaction: SecretRedaction, insteadOf old: BackendRecording?, repeating count: Int
  ) throws -> (exchanges: [RecordedExchange], kept: [Int]) {
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
    let files = RecordingFiles(recording, insteadOf: old)
    for (name, data) in files.files.sorted(by: { $0.key < $1.key }) {
      guard let leak = (redacted.leaks(in: data) + redacted.leaks(in: Data(name.utf8))).first else { continue }
      throw RecordingError(
        "a secret is left in \(redacted.text(of: name)): \(leak). Nothing is written; name the value with SecretRedaction().redacting(values:), or keep it with keeping(_:)."
      )
    }
    try files.write(to: folder)
    return (recording.exchanges, kept)
  }

  /// Writes the first take with what a second one has shown to be volatile.
  ///
  /// - Returns: The number of exchanges.
  func write(comparedWith fresh: [RecordedExchange], _ redaction: SecretRedaction, to folder: URL) throws -> Int {
    let all = redaction.redacted(exchanges + fresh).exchanges
    var first = self
    first.exchanges = Array(all.prefix(exchanges.count))
    let takes = Takes(first, Array(all.dropFirst(exchanges.count)))
    return try takes.recording.write(to: folder, redaction, insteadOf: self, repeating: exchanges.count).exchanges
      .count
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
      // What changes something answers in sequence, whatever its epoch is.
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
