import Foundation
@_spi(TrackingCommand) import StubRecording

/// Exchanges as an HTTP Archive (HAR 1.2), the format that browsers and proxies save.
///
/// ```swift
/// let archive = try HTTPArchive(contentsOf: URL(fileURLWithPath: "session.har"))
/// let exchanges = SecretRedaction().redacted(archive.exchanges)
/// ```
///
/// Writing and reading exchanges returns equal ones. Entries that aren't exchanges are left out and listed in ``notes``.
public struct HTTPArchive: Sendable {
  /// The exchanges, in the order of the file.
  public var exchanges: [RecordedExchange]
  /// The places in the exchanges that were redacted.
  public var positions: [RedactedPosition] = []
  /// The entries, and the parts of entries, that were left out, with the reasons.
  public private(set) var notes: [String] = []

  /// An archive of exchanges.
  public init(_ exchanges: [RecordedExchange], positions: [RedactedPosition] = []) {
    self.exchanges = exchanges
    self.positions = positions
  }

  /// The archive in a file.
  ///
  /// - Throws: `RecordingError` with the place of what is wrong in it, or the error of reading the file.
  public init(contentsOf url: URL) throws {
    try self.init(data: Data(contentsOf: url), file: url.lastPathComponent)
  }

  /// The archive in a text.
  ///
  /// Errors name the file.
  ///
  /// - Throws: `RecordingError` with the place of what is wrong in it.
  public init(data: Data, file: String = "") throws(RecordingError) {
    exchanges = []
    let log = try JSONNode(data, file: file).member("log")
    if let version = try log["version"], let text = try? version.string(), !text.hasPrefix("1.") {
      throw version.error("version \(text) isn't known; versions 1.1 and 1.2 are read")
    }
    for entry in try log.member("entries").elements() {
      do {
        try read(entry)
      } catch {
        // One odd value must not cost the other entries.
        notes.append("\(error); the entry is left out")
      }
    }
  }

  private mutating func read(_ entry: JSONNode) throws(RecordingError) {
    guard let request = try Self.request(try entry.member("request")) else {
      notes.append("\(entry.error("its URL isn't one of http or https"))")
      return
    }
    let response = try entry.member("response")
    let status = try response.member("status").integer()
    // Other statuses can't be replayed: 101 starts a web socket.
    guard 200...599 ~= status else {
      notes.append("\(entry.error("it has no final answer (status \(status))"))")
      return
    }
    let answer = try Self.answer(response, status: status)
    if answer.body.isEmpty, let size = try response["content"]?["size"]?.number(), size > 0 {
      let size = TrackingValue.double(size)
      notes.append("\(entry.error("the file doesn't hold the body of \(size) bytes, so it is empty"))")
    }
    var found: [RedactedPosition] = []
    for position in try entry["_redacted"]?.elements() ?? [] {
      found.append(
        RedactedPosition(
          exchange: exchanges.count, place: try position.member("place").string(),
          placeholder: try position.member("placeholder").string()))
    }
    exchanges.append(
      RecordedExchange(
        request: request, answer: answer, date: try Self.date(entry), duration: try Self.duration(entry),
        epoch: try entry["_epoch"]?.integer()))
    positions += found
  }

  /// The archive as text in JSON.
  public var data: Data {
    let entries = exchanges.enumerated().map { index, exchange in
      entry(exchange, positions.filter { $0.exchange == index })
    }
    let creator: TrackingValue = ["name": "TrackingVerifier", "version": "1"]
    return JSONTree(of: ["log": ["version": "1.2", "creator": creator, "entries": .array(entries)]]).file
  }
}

// MARK: - Reading

extension HTTPArchive {
  private static func request(_ node: JSONNode) throws(RecordingError) -> RecordedExchange.Request? {
    let urlNode = try node.member("url")
    let text = try urlNode.string()
    guard let scheme = text.range(of: "://") else {
      if text.hasPrefix("data:") || text.hasPrefix("blob:") || text.hasPrefix("about:") { return nil }
      throw urlNode.error("expected a URL, found \"\(text.prefix(80))\"")
    }
    guard ["http", "https"].contains(text[..<scheme.lowerBound].lowercased()) else { return nil }
    let rest = text[scheme.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.isEmpty else { throw urlNode.error("the URL has no host") }
    let target = rest[authority.endIndex...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = target.first.map(String.init) ?? ""
    let postData = try node["postData"]
    let body = if let postData { try Self.body(postData) } else { Data() }
    return RecordedExchange.Request(
      method: try node.member("method").string(),
      // The user and password of a URL aren't part of its origin.
      origin: text[..<scheme.upperBound].lowercased() + (authority.split(separator: "@").last ?? "").lowercased(),
      path: path.isEmpty ? "/" : path, query: target.count > 1 ? String(target[1]) : nil,
      headers: try headers(of: node, body, type: try postData?["mimeType"]), body: body)
  }

  private static func answer(_ node: JSONNode, status: Int) throws(RecordingError) -> RecordedExchange.Answer {
    let content = try node["content"]
    let body = if let content { try Self.body(content) } else { Data() }
    return RecordedExchange.Answer(
      status: status, headers: try headers(of: node, body, type: try content?["mimeType"]), body: body)
  }

  /// The body in `postData` or `content`.
  private static func body(_ node: JSONNode) throws(RecordingError) -> Data {
    // HAR 1.2 has an encoding for answers only; for requests this is a custom field.
    let own = try node["_encoding"]
    let encoding = try node["encoding"] ?? own
    if let text = try node["text"] {
      guard let encoding else { return Data(try text.string().utf8) }
      guard try encoding.string().lowercased() == "base64" else {
        throw encoding.error("the encoding \"\(try encoding.string())\" isn't known; base64 is")
      }
      return try text.base64()
    }
    guard let params = try node["params"]?.elements(), !params.isEmpty else { return Data() }
    var items: [URLQueryItem] = []
    for param in params {
      items.append(URLQueryItem(name: try param.member("name").string(), value: try param["value"]?.text() ?? ""))
    }
    var components = URLComponents()
    components.queryItems = items
    return Data((components.percentEncodedQuery ?? "").replacingOccurrences(of: "+", with: "%2B").utf8)
  }

  private static func headers(
    of node: JSONNode, _ body: Data, type: JSONNode?
  ) throws(RecordingError) -> HeaderFields {
    var headers = HeaderFields()
    for field in try node["headers"]?.elements() ?? [] {
      let name = try field.member("name").string()
      // Some tools write the lines of a name as an array.
      let value = try field["value"]?.lines() ?? ""
      // The names of HTTP/2 for method and path, and what described a body that is decoded here.
      guard !name.hasPrefix(":"), !connectionFields.contains(name.lowercased()) else { continue }
      if name.lowercased() == "content-length", !body.isEmpty, Int(value) != body.count { continue }
      // Some tools join the lines of a name, which for cookies can't be undone otherwise.
      for line in value.split(separator: "\n", omittingEmptySubsequences: false) {
        headers.fields.append((name, String(line)))
      }
    }
    if !body.isEmpty, headers["Content-Type"] == nil, let type = try type?.string(), !type.isEmpty, type != "x-unknown"
    {
      headers["Content-Type"] = type
    }
    return headers
  }

  private static let connectionFields: Set = [
    "host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade",
    "content-encoding",
  ]

  private static func date(_ entry: JSONNode) throws(RecordingError) -> Date {
    guard let node = try entry["startedDateTime"] else { return Date(timeIntervalSince1970: 0) }
    let text = try node.string()
    let parts = text.split(separator: ".", maxSplits: 1)
    let digits = parts.count > 1 ? parts[1].prefix { $0.isASCII && $0.isNumber } : ""
    let whole = parts.count > 1 ? parts[0] + parts[1].dropFirst(digits.count) : parts.first ?? ""
    guard let date = ISO8601DateFormatter().date(from: String(whole)), let fraction = Double("0.\(digits)0") else {
      throw node.error("expected a date like 2026-11-22T10:00:00.000Z, found \"\(text.prefix(80))\"")
    }
    return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate + fraction)
  }

  /// Seconds; a time of -1 isn't known.
  private static func duration(_ entry: JSONNode) throws(RecordingError) -> TimeInterval {
    if let exact = try entry["_duration"] { return try exact.number() }
    guard let milliseconds = try entry["time"]?.number(), milliseconds > 0 else { return 0 }
    return milliseconds / 1_000
  }
}

// MARK: - Writing

extension HTTPArchive {
  private func entry(_ exchange: RecordedExchange, _ positions: [RedactedPosition]) -> TrackingValue {
    let (request, answer) = (exchange.request, exchange.answer)
    let milliseconds = exchange.duration * 1_000
    var entry: [String: TrackingValue] = [
      "startedDateTime": .string(Self.text(of: exchange.date)), "time": .double(milliseconds), "cache": [:],
      // The whole time is known, but not its parts. Those that a file must have are 0 (HAR 1.2, timings).
      "timings": [
        "blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": .double(milliseconds), "receive": 0,
      ],
    ]
    // Converting to milliseconds and back can change the last digit.
    if milliseconds / 1_000 != exchange.duration { entry["_duration"] = .double(exchange.duration) }
    if let epoch = exchange.epoch { entry["_epoch"] = .int(epoch) }
    if !positions.isEmpty {
      entry["_redacted"] = .array(
        positions.map { ["place": .string($0.place), "placeholder": .string($0.placeholder)] })
    }
    var requestMembers = Self.message(request.headers, request.body)
    requestMembers["method"] = .string(request.method)
    requestMembers["url"] = .string(request.origin + request.path + (request.query.map { "?\($0)" } ?? ""))
    requestMembers["queryString"] = Self.items(FormFields(request.query ?? ""))
    let stub = HTTPRequest(
      method: .init(rawValue: request.method), path: request.path, headers: request.headers, body: request.body)
    requestMembers["cookies"] = Self.items(stub.cookies)
    if !request.body.isEmpty {
      var postData = Self.content(request.body, type: request.headers["Content-Type"])
      postData["_encoding"] = postData.removeValue(forKey: "encoding")
      postData["params"] = .array([])
      requestMembers["postData"] = .object(postData)
    }
    var response = Self.message(answer.headers, answer.body)
    response["status"] = .int(answer.status)
    response["statusText"] = ""
    response["cookies"] = .array(Self.cookies(answer.headers))
    response["redirectURL"] = .string(answer.headers["Location"] ?? "")
    var content = Self.content(answer.body, type: answer.headers["Content-Type"])
    content["size"] = .int(answer.body.count)
    response["content"] = .object(content)
    entry["request"] = .object(requestMembers)
    entry["response"] = .object(response)
    return .object(entry)
  }

  /// The members that requests and answers share.
  private static func message(_ headers: HeaderFields, _ body: Data) -> [String: TrackingValue] {
    [
      "httpVersion": "HTTP/1.1", "headersSize": -1, "bodySize": .int(body.count),
      "headers": .array(headers.fields.map { item($0.name, $0.value) }),
    ]
  }

  private static func content(_ body: Data, type: String?) -> [String: TrackingValue] {
    var content: [String: TrackingValue] = ["mimeType": .string(type ?? "")]
    guard !body.isEmpty else { return content }
    let text = String(decoding: body, as: UTF8.self)
    // A string would change invalid UTF-8.
    if text.utf8.elementsEqual(body) {
      content["text"] = .string(text)
    } else {
      content["text"] = .string(body.base64EncodedString())
      content["encoding"] = "base64"
    }
    return content
  }

  private static func items(_ fields: FormFields) -> TrackingValue {
    .array(fields.items.map { item($0.name, $0.value) })
  }

  private static func item(_ name: String, _ value: String) -> TrackingValue {
    ["name": .string(name), "value": .string(value)]
  }

  /// Only names and values: the attributes are in the header fields.
  private static func cookies(_ headers: HeaderFields) -> [TrackingValue] {
    headers.fields.filter { $0.name.lowercased() == "set-cookie" }.compactMap { field in
      let pair = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return pair.count == 2 ? item(pair[0].trimmingCharacters(in: .whitespaces), String(pair[1])) : nil
    }
  }

  /// The date with as many digits as it needs to be read as the same.
  private static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
    let fraction = date.timeIntervalSinceReferenceDate - seconds
    let whole = ISO8601DateFormatter().string(from: Date(timeIntervalSinceReferenceDate: seconds))
    var digits = ""
    for count in [3, 6, 9] {
      // Never rounded up to a whole second: the digits would be too many.
      let power = (0..<count).reduce(1.0) { power, _ in power * 10 }
      let number = "\(Int(min((fraction * power).rounded(), power - 1)))"
      digits = String(repeating: "0", count: count - number.utf8.count) + number
      if let read = Double("0.\(digits)"), seconds + read == date.timeIntervalSinceReferenceDate { break }
    }
    return "\(whole.dropLast()).\(digits)Z"
  }
}
