import Foundation
@_spi(TrackingCommand) import StubRecording

extension Drift {
  /// Sends the recorded requests to a backend, one after the other, and compares its answers with the recorded ones.
  ///
  /// Only `GET` and `HEAD` requests are sent, and each once. If its answer changed during the recording, the most similar one counts. Requests with
  /// redacted parts aren't sent, unless `headers` replaces these.
  ///
  /// - Parameters:
  ///   - recording: The recording whose requests are sent.
  ///   - backend: Scheme, host and port, in place of the recorded ones.
  ///   - headers: Header fields in place of the recorded ones, such as `Authorization`.
  ///   - unsafe: Whether requests that change something are sent as well, in their order.
  ///   - progress: Called after each request, with the number of finished requests and of all.
  /// - Throws: `RecordingError` if the URL isn't a backend's, or the backend can't be reached.
  public init(
    of recording: BackendRecording, against backend: URL, headers: HeaderFields = HeaderFields(), unsafe: Bool = false,
    progress: @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) async throws {
    let origin = try Self.origin(backend)
    let client = BackendClient()
    let questions = Self.questions(recording, unsafe: unsafe)
    for (index, question) in questions.enumerated() {
      defer { progress(index + 1, questions.count) }
      let request = question[0].request
      if let reason = Self.redactedPart(of: request, sent: headers) {
        skipped.append("\(request.line): \(reason)")
        continue
      }
      switch await client.send(Self.sent(request, headers), to: origin) {
      case .answer(let fresh):
        asked += 1
        let all = question.map { Self.findings(of: request.line, recorded: $0.answer, fresh: fresh) }
        findings += all.min { Self.weight($0) < Self.weight($1) } ?? []
      case .refusal(let reason): skipped.append("\(request.line): \(reason)")
      case .outage(let reason): throw RecordingError("\(request.line) was not answered by \(origin): \(reason)")
      }
    }
  }

  /// The difference of answers: by the most severe finding, then by their number.
  private static func weight(_ findings: [Finding]) -> (Int, Int) {
    (findings.map(\.severity.rank).max() ?? -1, findings.count)
  }

  private static func origin(_ url: URL) throws -> String {
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), let host = url.host(),
      !host.isEmpty,
      ["", "/"].contains(url.path(percentEncoded: true)), url.query() == nil
    else {
      throw RecordingError("\(url.absoluteString) isn't the URL of a backend: write scheme, host and port")
    }
    return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")"
  }

  /// The exchanges that are sent, those with the same request together.
  private static func questions(_ recording: BackendRecording, unsafe: Bool) -> [[RecordedExchange]] {
    struct Key: Hashable {
      let line: String
      let headers: HeaderFields
    }
    var questions: [[RecordedExchange]] = []
    var known: [Key: Int] = [:]
    // A 304 needs validators, which aren't sent again.
    for exchange in recording.exchanges where exchange.answer.status != 304 {
      let request = exchange.request
      guard ["GET", "HEAD"].contains(request.method) else {
        if unsafe { questions.append([exchange]) }
        continue
      }
      let key = Key(line: request.line, headers: request.headers)
      if let index = known[key] {
        questions[index].append(exchange)
      } else {
        known[key] = questions.count
        questions.append([exchange])
      }
    }
    return questions
  }

  private static func redactedPart(of request: RecordedExchange.Request, sent headers: HeaderFields) -> String? {
    let isRedacted = RecordedExchange.Request.isRedacted
    if isRedacted(request.path) { return "its path has a redacted part" }
    if isRedacted(request.query ?? "") { return "its query has a redacted value" }
    if isRedacted(String(decoding: request.body, as: UTF8.self)) { return "its body has a redacted value" }
    for field in request.headers.fields where isRedacted(field.value) && headers[field.name] == nil {
      return "its header field \(field.name) is redacted; give one with --header"
    }
    return nil
  }

  private static func sent(_ request: RecordedExchange.Request, _ headers: HeaderFields) -> HTTPRequest {
    var fields = request.headers
    // A 304 has no content to compare.
    fields.fields.removeAll { ["if-none-match", "if-modified-since"].contains($0.name.lowercased()) }
    for field in headers.fields { fields.set(field.name, field.value) }
    return HTTPRequest(
      method: request.method, path: request.path, queryText: request.query, headers: fields, body: request.body)
  }
}
