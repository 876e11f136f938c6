import Foundation
import StubReplay
import TrackingSecrets

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
    let returned = returnedTags
    for index in recording.exchanges.indices where !returned.contains(index) {
      // It only changes with each recording.
      recording.exchanges[index].response.headers.lines.removeAll { $0.name.lowercased() == "etag" }
    }
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
    let kept = Set(Self.keptFields + matching.map { $0.lowercased() })
    let backend = backendCookies
    for index in exchanges.indices {
      let request = exchanges[index].request
      recording.exchanges[index].request.headers.lines = request.headers.lines.compactMap { field in
        guard field.name.lowercased() == "cookie" else { return kept.contains(field.name.lowercased()) ? field : nil }
        let isGuest = request.headers["Authorization"] == nil
        let cookies = Self.kept(
          OpenText.cookies(of: field.value), backend, isCompared: kept.contains("cookie"), isGuest)
        // Sorted, because URL loading sends cookies in any order.
        let text = cookies.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "; ")
        return text.isEmpty ? nil : .init(name: field.name, value: text)
      }
    }
    return recording
  }

  /// The backend's cookies; without other credentials the names of the app's own, whose values differ in each run.
  private static func kept(
    _ cookies: [(name: String, value: String)], _ backend: Set<String>, isCompared: Bool, _ isGuest: Bool
  ) -> [(name: String, value: String)] {
    if isCompared { return cookies }
    let own = cookies.filter { backend.contains($0.name) }
    return own.isEmpty && isGuest ? cookies.map { ($0.name, OpenText.any) } : own
  }

  /// The kept request fields besides cookies: responses depend on them, and they don't vary between machines.
  private static let keptFields = [
    "accept", "accept-language", "authorization", "content-type", "if-modified-since", "if-none-match", "range",
  ]
}

extension BackendRecording {
  /// The exchanges, in the order of arrival, whose entity tags the app needs: their path is requested with `If-None-Match`, or a later request has
  /// the tag's opaque text (RFC 9110 8.8.3), as in `If-Match` or a member of a body.
  fileprivate var returnedTags: Set<Int> {
    let revalidated = Set(exchanges.filter { $0.request.headers["If-None-Match"] != nil }.map(\.request.path))
    var (ends, whole): ([Int], [UInt8]) = ([], [])
    for request in exchanges.map(\.request) {
      whole += Array(([request.target] + request.headers.lines.map(\.value)).joined(separator: "\n").utf8)
      whole += [10] + request.body + [10] + PercentEncoding.bytes(of: request.body) + [10]
      whole += Self.strings(inJSON: [UInt8](request.body)).joined(separator: [10])
      ends.append(whole.count)
    }
    var known: [String: Bool] = [:]
    return Set(
      exchanges.indices.filter { index in
        guard let tag = exchanges[index].response.headers["ETag"] else { return false }
        if revalidated.contains(exchanges[index].request.path) { return true }
        let isReturned =
          known[tag] ?? Self.spellings(ofTag: tag).contains { whole[ends[index]...].firstRange(of: $0) != nil }
        known[tag] = isReturned
        return isReturned
      })
  }

  private static func strings(inJSON text: [UInt8]) -> [[UInt8]] {
    guard SecretVisitor.isJSON(text) else { return [] }
    var values = NamedValues(names: SecretNames(), known: [:])
    text.withUnsafeBufferPointer { values.readJSON($0) }
    return values.values.map(\.text)
  }

  /// The opaque text of an entity tag in its spellings; empty without one.
  private static func spellings(ofTag tag: String) -> Set<[UInt8]> {
    let opaque = (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]).trimmingCharacters(
      in: CharacterSet(charactersIn: "\" "))
    return opaque.isEmpty ? [] : Set(SecretSpelling.all(of: Array(opaque.utf8)))
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
