import Foundation

extension BackendRecording {
  /// Writes the recording to a folder, without its secrets and in place of an earlier one.
  ///
  /// If it fails or the process is killed, the folder holds the earlier recording or this one.
  ///
  /// - Returns: The values that were left out, because a secret was left in them after the redaction.
  /// - Throws: `RecordingError` if the folder can't be written.
  @discardableResult
  package func write(to folder: URL, redaction: SecretRedaction = SecretRedaction()) throws -> [SecretLeak] {
    try write(to: folder, redaction) { _ in }
  }

  /// - Parameter remark: Called with each remark on what a replay can't do, and with what was replaced.
  func write(
    to folder: URL, _ redaction: SecretRedaction, remark: (String) -> Void
  ) throws -> [SecretLeak] {
    try redaction.check()
    var recording = self
    let redacted = redaction.redacted(numbered)
    recording.exchanges = redacted.exchanges
    recording.mixedUp(from: exchanges).forEach(remark)
    recording.exchanges = ExchangeOrder.indices(of: redacted.exchanges, comparing: headers).map {
      redacted.exchanges[$0]
    }
    try RecordingFiles(recording).write(to: folder)
    if let summary = redacted.summary { remark("redacted: \(summary)") }
    return redacted.leaks
  }

  /// Remarks on requests that differ only in what was replaced, so a replay answers them in the order in which they were recorded.
  private func mixedUp(from sent: [RecordedExchange]) -> [String] {
    func content(_ request: RecordedExchange.Request) -> [Data] {
      let parts = ReceivedPart.parts(of: request.body, type: request.headers["Content-Type"] ?? "")
      return [Data(request.target.utf8)] + (parts?.map(\.data) ?? [request.body])
    }
    let groups = Dictionary(grouping: distinctions.enumerated(), by: \.element).values.map { $0.map(\.offset) }
    return groups.sorted { $0[0] < $1[0] }.compactMap { indices in
      let different = Set(indices.map { content(sent[$0].request) }).count
      guard different > 1, Set(indices.map { sent[$0].answer }).count > 1 else { return nil }
      return
        "\(exchanges[indices[0]].request.line): a replay can't tell \(different) of these requests apart, because they differ only in what is replaced; they are answered in the order in which they were recorded"
    }
  }
}

/// The order of exchanges in a recording: by epoch, path, method, query and body, without the numbers of placeholders.
///
/// Requests of one epoch that differ may have arrived in any order; equal ones are a sequence.
struct ExchangeOrder: Comparable {
  private let epoch: Int
  private let line: String
  private let body: Data
  private let arrival: Int

  private init(_ exchange: RecordedExchange, arrival: Int, comparing headers: [String]) {
    let request = exchange.request
    epoch = exchange.epoch ?? 0
    let fields = (["Accept-Language", "Range"] + headers).map { request.headers[$0] ?? "" }
    let parts = [request.path, request.method, request.query ?? "", request.origin] + fields
    line = Placeholders.unnumbered(parts.joined(separator: "\n"))
    body = Placeholders.unnumbered(request.body)
    self.arrival = arrival
  }

  static func indices(of exchanges: [RecordedExchange], comparing headers: [String] = []) -> [Int] {
    exchanges.enumerated().map { ExchangeOrder($1, arrival: $0, comparing: headers) }.sorted().map(\.arrival)
  }

  static func < (left: ExchangeOrder, right: ExchangeOrder) -> Bool {
    if (left.epoch, left.line) != (right.epoch, right.line) {
      return (left.epoch, left.line) < (right.epoch, right.line)
    }
    return left.body == right.body ? left.arrival < right.arrival : left.body.lexicographicallyPrecedes(right.body)
  }
}
