import Foundation
import TrackingSockets

/// The recordings that this process has written: the tests of a class share one, and each adds what it has seen.
enum RecordingRun {
  /// The exchanges as they were, before redaction, by the folder's path.
  private static let written = Locked<[String: [RecordedExchange]]>([:])

  /// Forgets that this process has written a folder.
  static func forget(_ folder: URL) {
    written.withLock { $0[folder.standardizedFileURL.path(percentEncoded: false)] = nil }
  }

  static func hasWritten(_ folder: URL) -> Bool {
    written.withLock { $0[folder.standardizedFileURL.path(percentEncoded: false)] != nil }
  }

  /// The index of a recording; `nil` without one.
  static func index(of folder: URL) -> Data? {
    try? Data(contentsOf: folder.appending(path: Recording.indexName))
  }

  /// Writes exchanges.
  ///
  /// - Parameters:
  ///   - adds: Whether those that are in the folder stay.
  ///   - isSecondTake: Whether those in the folder stay and are compared with these.
  ///   - found: The folder's index when the recording began; `nil` if there was none.
  /// - Returns: The number of exchanges in the folder.
  static func write(
    _ fresh: [RecordedExchange], _ setup: RecordingSetup, to folder: URL, adds: Bool, isSecondTake: Bool = false,
    found: Data?
  ) throws -> Int {
    let key = folder.standardizedFileURL.path(percentEncoded: false)
    return try written.withLock { written in
      // Replacing it would remove what another process has just recorded.
      guard adds || isSecondTake || written[key] != nil || index(of: folder) == found else {
        throw RecordingError(
          "\(folder.path(percentEncoded: false)) was written by another process since this test began. Nothing is written: record in one process, without --parallel."
        )
      }
      let isRecording = FileManager.default.fileExists(
        atPath: folder.appending(path: Recording.indexName).path(percentEncoded: false))
      // A recording that can't be read can be replaced, but nothing can be added to it.
      let old = isRecording ? (adds ? try Recording(contentsOf: folder) : try? Recording(contentsOf: folder)) : nil
      if isSecondTake {
        guard let old else {
          throw RecordingError(
            "there is no first take at \(folder.path(percentEncoded: false)) that a second could be compared with.")
        }
        return try old.write(comparedWith: fresh, setup.redaction, to: folder)
      }
      let earlier = adds ? old?.exchanges ?? [] : written[key] ?? []
      let recording = Recording(
        upstreams: setup.upstreams, exchanges: earlier + fresh, paths: setup.paths, headers: setup.headers,
        redacted: adds ? old?.redacted ?? [] : [])
      let kept = try recording.write(to: folder, setup.redaction, insteadOf: old, count: earlier.count)
      if !adds { written[key] = kept.map { (earlier + fresh)[$0] } }
      return kept.count
    }
  }
}

extension Recording {
  /// Writes the recording to a folder, without its secrets; files of an earlier recording that it doesn't need any more are removed.
  ///
  /// - Throws: `RecordingError` if a secret is left in a file, or the folder can't be written; then nothing is.
  public func write(to folder: URL, redaction: Redaction = Redaction()) throws {
    _ = try write(to: folder, redaction, insteadOf: try? Recording(contentsOf: folder), count: exchanges.count)
  }

  /// - Parameter count: How many exchanges are those of earlier tests, which need not be repeated.
  /// - Returns: The indices of the exchanges that were written.
  fileprivate func write(to folder: URL, _ redaction: Redaction, insteadOf old: Recording?, count: Int) throws -> [Int]
  {
    var recording = self
    recording.exchanges = numbered
    let redacted = redaction.redacted(recording.exchanges)
    recording.exchanges = redacted.exchanges
    let kept = recording.indicesWithoutRepetition(after: count)
    recording.redacted = Set(
      self.redacted
        + redacted.positions.filter { kept.contains($0.exchange) }.map {
          "\(redacted.exchanges[$0.exchange].request.line): \($0)"
        }
    ).sorted()
    recording.exchanges = kept.map { recording.exchanges[$0] }
    if let old { recording.keepEpochs(of: old) }
    let files = RecordingFiles(recording, insteadOf: old)
    for (name, data) in files.files.sorted(by: { $0.key < $1.key }) {
      guard let leak = (redacted.leaks(in: data) + redacted.leaks(in: Data(name.utf8))).first else { continue }
      throw RecordingError(
        "a secret is left in \(name): \(leak). Nothing is written; name the value with Redaction().redacting(values:), or keep it with keeping(_:)."
      )
    }
    try files.write(to: folder)
    return kept
  }

  /// Writes the first take with what a second one has shown to be volatile.
  ///
  /// - Returns: The number of exchanges.
  fileprivate func write(comparedWith fresh: [RecordedExchange], _ redaction: Redaction, to folder: URL) throws -> Int {
    let all = redaction.redacted(exchanges + fresh).exchanges
    var first = self
    first.exchanges = Array(all.prefix(exchanges.count))
    let takes = Takes(first, Array(all.dropFirst(exchanges.count)))
    return try takes.recording.write(to: folder, redaction, insteadOf: self, count: exchanges.count).count
  }

  /// What is asked, but for the numbers of redacted values.
  private struct Question: Hashable {
    let request: String
    let body: Data
    var epoch: Int?

    init(_ exchange: RecordedExchange) {
      request = Placeholders.unnumbered(exchange.request.origin + exchange.request.line)
      body = Placeholders.unnumbered(exchange.request.body)
      epoch = exchange.epoch
    }

    var inAnyEpoch: Question {
      var copy = self
      copy.epoch = nil
      return copy
    }
  }

  /// Keeps the epochs of another recording of the same requests, where they make no difference.
  ///
  /// A request that is sent beside one that changes something is recorded before it or after it. That matters only if its answers differ.
  private mutating func keepEpochs(of old: Recording) {
    let theirs = Dictionary(grouping: old.numbered) { Question($0).inAnyEpoch }
    let own = Dictionary(grouping: exchanges.indices) { Question(exchanges[$0]).inAnyEpoch }
    guard theirs.mapValues(\.count) == own.mapValues(\.count) else { return }
    for (question, indices) in own {
      let (mine, others) = (indices.map { exchanges[$0] }, theirs[question] ?? [])
      // What changes something answers in sequence, whatever its epoch is.
      guard zip(mine, others).allSatisfy({ $0.answer.isLike($1.answer) }),
        mine[0].request.changesSomething || mine.allSatisfy({ $0.answer.isLike(mine[0].answer) })
      else { continue }
      for (index, other) in zip(indices, others) { exchanges[index].epoch = other.epoch }
    }
  }

  /// The exchanges, without those of later tests that repeat earlier ones.
  private func indicesWithoutRepetition(after count: Int) -> [Int] {
    var earlier = Dictionary(grouping: exchanges.prefix(count), by: Question.init)
    return exchanges.indices.filter { index in
      guard index >= count else { return true }
      let key = Question(exchanges[index])
      guard let next = earlier[key]?.first, next.answer.isLike(exchanges[index].answer) else { return true }
      earlier[key]?.removeFirst()
      return false
    }
  }
}

extension RecordingFiles {
  /// Writes the files that changed, then removes those of the earlier recording that are no longer there.
  func write(to folder: URL) throws {
    let manager = FileManager.default
    do {
      let bodies = folder.appending(path: Self.bodiesFolder, directoryHint: .isDirectory)
      let hasBodies = files.keys.contains { $0.hasPrefix(Self.bodiesFolder) }
      try manager.createDirectory(at: hasBodies ? bodies : folder, withIntermediateDirectories: true)
      let obsolete = Self.existing(in: folder).filter { files[$0] == nil }
      func remove(_ name: String) throws { try manager.removeItem(at: folder.appending(path: name)) }
      // Where case makes no difference, a name that differs only in it is that of the new file.
      let names = Set(files.keys.map { $0.lowercased() })
      for name in obsolete where names.contains(name.lowercased()) { try remove(name) }
      // Bodies before the exchanges that name them, and the index last.
      for (name, data) in files.sorted(by: { Self.rank($0.key) < Self.rank($1.key) }) {
        let url = folder.appending(path: name)
        if (try? Data(contentsOf: url)) != data { try data.write(to: url, options: .atomic) }
      }
      for name in obsolete where !names.contains(name.lowercased()) { try remove(name) }
      if !hasBodies, (try? manager.contentsOfDirectory(atPath: bodies.path(percentEncoded: false)))?.isEmpty == true {
        try manager.removeItem(at: bodies)
      }
    } catch {
      throw RecordingError("\(folder.path(percentEncoded: false)) can't be written: \(error.localizedDescription).")
    }
  }

  private static func rank(_ name: String) -> (Int, String) {
    (name.hasPrefix(bodiesFolder) ? 0 : name == Recording.indexName ? 2 : 1, name)
  }

  /// The files of a recording; others in its folder are left alone.
  private static func existing(in folder: URL) -> [String] {
    let bodies = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: bodiesFolder).path(percentEncoded: false))
    return ((try? Recording.entryNames(in: folder)) ?? [])
      + (bodies ?? []).filter(isNameOfBody).map { "\(bodiesFolder)/\($0)" }
  }
}

extension RecordedExchange.Answer {
  /// Whether both say the same, but for the numbers of redacted values.
  fileprivate func isLike(_ other: RecordedExchange.Answer) -> Bool {
    status == other.status && Placeholders.unnumbered(body) == Placeholders.unnumbered(other.body)
  }
}
