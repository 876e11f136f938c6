import Foundation
import StubReplay

extension BackendRecording {
  /// Writes the recording to a folder without its secrets, replacing an earlier recording.
  ///
  /// If writing fails or the process is killed, the folder has the earlier recording or this one. `warn` is called with each limit of a replay, and
  /// with the names of the replaced secrets. Returns the values that were left out, because a secret was left in them after the redaction.
  @discardableResult
  package func write(
    to folder: URL, redaction: SecretRedaction = SecretRedaction(), warn: (String) -> Void = { _ in }
  ) throws -> [SecretLeak] {
    try redaction.check()
    let sent = numbered
    let redacted = redaction.redacted(sent)
    var recording = self
    recording.exchanges = redacted.exchanges
    for (index, sent) in sent.enumerated() { recording.exchanges[index].request.open(for: sent.request) }
    recording.openOwnValues()
    Indistinguishable(sent: sent, recorded: recording).warnings.forEach(warn)
    recording = recording.withKeptFields
    let order = ExchangeOrder.indices(of: recording)
    recording.exchanges = order.map { recording.exchanges[$0] }
    try RecordingFiles(recording, in: folder).write()
    if let summary = redacted.summary { warn("redacted: \(summary)") }
    return redacted.leaks
  }

  /// Replaces placeholders in queries and header fields with `{any}` if the app sent their values before a response did: in a replay the app sends
  /// its own values again, not those of recorded responses.
  private mutating func openOwnValues() {
    let handedOut = handedOut
    guard !handedOut.isEmpty else { return }
    var (received, own): (Set<String>, Set<String>) = ([], [])
    for exchange in exchanges {
      own.formUnion(exchange.request.placeholders.intersection(handedOut).subtracting(received))
      received.formUnion(exchange.response.placeholders)
    }
    guard !own.isEmpty else { return }
    for index in exchanges.indices {
      exchanges[index].request.query = exchanges[index].request.query.map { OpenText.opening(own, in: $0) }
      for field in exchanges[index].request.headers.lines.indices {
        let value = exchanges[index].request.headers.lines[field].value
        exchanges[index].request.headers.lines[field].value = OpenText.opening(own, in: value)
      }
    }
  }

  var withKeptFields: BackendRecording {
    var recording = self
    let revalidated = Set(exchanges.filter { $0.request.headers["If-None-Match"] != nil }.map(\.request.path))
    let kept = Set(Self.keptFields + matching.map { $0.lowercased() })
    let cookies = backendCookies
    for index in exchanges.indices {
      let request = exchanges[index].request
      recording.exchanges[index].request.headers.lines = request.headers.lines.compactMap { field in
        guard field.name.lowercased() == "cookie" else { return kept.contains(field.name.lowercased()) ? field : nil }
        // Sorted, because URL loading sends cookies in any order; an app's own cookies differ in each run.
        let text = OpenText.cookies(of: field.value).filter { cookies.contains($0.name) }
          .map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "; ")
        return text.isEmpty ? nil : .init(name: field.name, value: text)
      }
      guard !revalidated.contains(request.path) else { continue }
      // Without a request that names the tag, it only changes with each recording.
      recording.exchanges[index].response.headers.lines.removeAll { $0.name.lowercased() == "etag" }
    }
    return recording
  }

  /// The kept request fields besides cookies: responses depend on them, and they don't vary between machines.
  private static let keptFields = [
    "accept", "accept-language", "authorization", "content-type", "if-modified-since", "if-none-match", "range",
  ]

  /// The names of the cookies that responses set, or in which the app sends a value from a response.
  var backendCookies: Set<String> {
    let handedOut = handedOut
    var names: Set<String> = []
    for exchange in exchanges {
      for field in exchange.response.headers.lines where field.name.lowercased() == "set-cookie" {
        names.insert(field.value.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces))
      }
      for cookie in OpenText.cookies(of: exchange.request.headers["Cookie"] ?? "")
      where !OpenText.placeholders(in: Array(cookie.value.utf8)).isDisjoint(with: handedOut) {
        names.insert(cookie.name)
      }
    }
    return names
  }
}

extension RecordedExchange.Request {
  /// Opens the parts that a replay wouldn't match with the sent request, for example because another number has replaced a secret number, or a
  /// placeholder a value with slashes.
  fileprivate mutating func open(for sent: RecordedExchange.Request) {
    guard self != sent else { return }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map {
      OpenText.isOpen("\($0)") ? OpenText.any : "\($0)"
    }
    open(\.path, for: sent, as: segments.joined(separator: "/"), "/\(OpenText.any)")
    open(\.query, for: sent, as: OpenText.any)
    open(\.body, for: sent, as: Data(OpenText.any.utf8))
  }

  private mutating func open<Part>(
    _ part: WritableKeyPath<RecordedExchange.Request, Part>, for sent: RecordedExchange.Request, as values: Part...
  ) {
    for value in values {
      let other = changed(self) { $0[keyPath: part] = sent[keyPath: part] }
      let conditions = BackendRecording(exchanges: [.init(request: self, response: .init())]).conditions(comparing: [])
      let request = ReceivedRequest(
        method: .init(rawValue: other.method), path: other.path, queryText: other.query, headers: other.headers,
        body: other.body)
      if conditions[0].pattern.matches(ParsedRequest(request)) { return }
      self[keyPath: part] = value
    }
  }
}

/// The order of exchanges in a recording: by epoch, path, method and the other conditions of a replay.
///
/// Different requests of one epoch may have arrived in any order; equal ones are a sequence.
enum ExchangeOrder {
  static func indices(of exchanges: [RecordedExchange]) -> [Int] { indices(of: BackendRecording(exchanges: exchanges)) }

  static func indices(of recording: BackendRecording) -> [Int] {
    // Without placeholders, whose numbers may differ in another recording.
    let conditions = recording.conditions(comparing: [])
    let keys = zip(recording.exchanges, conditions).map { exchange, conditions in
      (epoch: exchange.epoch ?? 0, text: "\(conditions.path)\n\(conditions.pattern)\n\(exchange.request.origin)")
    }
    return keys.indices.sorted { left, right in
      (keys[left].epoch, keys[left].text, left) < (keys[right].epoch, keys[right].text, right)
    }
  }
}
