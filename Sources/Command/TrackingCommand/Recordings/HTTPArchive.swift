import Foundation
import StubRecording
import StubReplay
import TrackingJSON
import TrackingModel

/// An HTTP Archive (HAR 1.2), the format in which browsers and proxies save exchanges.
///
/// Entries that can't be replayed are left out and listed in ``notes``.
struct HTTPArchive: Sendable {
  /// The exchanges, in the order of the file.
  private(set) var exchanges: [RecordedExchange] = []
  /// The entries, and the parts of entries, that were left out, with the reasons.
  private(set) var notes: [String] = []

  /// The archive in a file; bodies may be in other files beside it.
  ///
  /// - Throws: `RecordingError` with the place of what is wrong in it, or the error of reading the file.
  init(contentsOf url: URL) throws {
    try self.init(
      data: Data(contentsOf: url), file: url.lastPathComponent, bodies: url.deletingLastPathComponent())
  }

  /// The archive in a text.
  ///
  /// - Parameters:
  ///   - file: The name of the file in errors.
  ///   - folder: The folder of bodies in separate files.
  /// - Throws: `RecordingError` with the place of what is wrong in it.
  init(data: Data, file: String = "", bodies folder: URL? = nil) throws(RecordingError) {
    let log = try JSONNode(data, file: file).member("log")
    if let version = try log["version"], let text = try? version.string(), !text.hasPrefix("1.") {
      throw version.error("version \(text) isn't known; versions 1.1 and 1.2 are read")
    }
    for entry in try log.member("entries").elements() {
      do {
        try read(entry, folder)
      } catch {
        // One odd value must not cost the other entries.
        notes.append("\(error); the entry is left out")
      }
    }
  }

  private mutating func read(_ entry: JSONNode, _ folder: URL?) throws(RecordingError) {
    guard let request = try Self.request(try entry.member("request"), folder) else {
      notes.append("\(entry.error("its URL isn't one of http or https"))")
      return
    }
    let response = try entry.member("response")
    for node in [entry, response] {
      if let reason = try Self.failure(node) { throw entry.error("it failed: \(reason)") }
    }
    let status = try response.member("status").integer()
    // Other statuses can't be replayed: 101 starts a web socket.
    guard 200...599 ~= status else {
      notes.append("\(entry.error("it has no final answer (status \(status))"))")
      return
    }
    let answer = try Self.answer(response, status: status, folder)
    if answer.body.isEmpty, let size = try response["content"]?["size"]?.number(), size != 0 {
      let hasBody = request.method != "HEAD" && ![204, 205, 304].contains(status) && !(300..<400).contains(status)
      if size < 0, hasBody { throw entry.error("its body didn't arrive (size \(TrackingValue.double(size)))") }
      if size > 0 {
        let size = TrackingValue.double(size)
        notes.append("\(entry.error("the file doesn't hold the body of \(size) bytes, so it is empty"))")
      }
    }
    exchanges.append(RecordedExchange(request: request, answer: answer))
  }

  /// The reason that Playwright (`_failureText`) or Chrome (`_error`) gives for a request that failed.
  private static func failure(_ node: JSONNode) throws(RecordingError) -> String? {
    if let reason = try node["_failureText"] { return try reason.text() }
    return try node["_error"]?.text()
  }
}

// MARK: - Reading

extension HTTPArchive {
  private static func request(
    _ node: JSONNode, _ folder: URL?
  ) throws(RecordingError) -> RecordedExchange.Request? {
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
    let body = if let postData { try Self.body(postData, folder) } else { Data() }
    return RecordedExchange.Request(
      method: try node.member("method").string(),
      // The user and password of a URL aren't part of its origin.
      origin: text[..<scheme.upperBound].lowercased() + (authority.split(separator: "@").last ?? "").lowercased(),
      path: path.isEmpty ? "/" : path, query: target.count > 1 ? String(target[1]) : nil,
      headers: try headers(of: node, body, type: try postData?["mimeType"]), body: body)
  }

  private static func answer(
    _ node: JSONNode, status: Int, _ folder: URL?
  ) throws(RecordingError) -> RecordedExchange.Answer {
    let content = try node["content"]
    let body = if let content { try Self.body(content, folder) } else { Data() }
    return RecordedExchange.Answer(
      status: status, headers: try headers(of: node, body, type: try content?["mimeType"]), body: body)
  }

  /// The body in `postData` or `content`.
  private static func body(_ node: JSONNode, _ folder: URL?) throws(RecordingError) -> Data {
    // Playwright's name for a body in a separate file.
    if let file = try node["_file"] { return try data(of: file, folder) }
    if let text = try node["text"] {
      guard let encoding = try node["encoding"] else { return Data(try text.string().utf8) }
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

  private static func data(of file: JSONNode, _ folder: URL?) throws(RecordingError) -> Data {
    let name = try file.string()
    guard let folder, !name.isEmpty, !name.contains("/"), !name.contains("\\"), !name.hasPrefix(".") else {
      throw file.error("\"\(name.prefix(80))\" isn't the name of a file beside the archive")
    }
    guard let data = try? Data(contentsOf: folder.appending(path: name)) else {
      throw file.error("the file \(name) beside the archive can't be read")
    }
    return data
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
}
