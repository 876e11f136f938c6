import Foundation
import TrackingModel

/// An exchange as a recording's file has it, without its epoch and its time.
struct ExchangeText {
  /// The largest body, in bytes, that is written into its exchange's file.
  private static let longestInline = 16 * 1_024

  /// The members `request` and `answer` of a JSON object.
  private(set) var members = ""
  /// The bodies in separate files, by their paths.
  private(set) var bodies: [String: Data] = [:]

  init(_ exchange: RecordedExchange, in recording: BackendRecording) {
    let request = exchange.request
    var asked: [String] = []
    if Set(recording.upstreams.values).count > 1 { asked.append("\"origin\": \(JSONLayout.quoted(request.origin))") }
    if recording.path(of: exchange) != request.path { asked.append("\"path\": \(JSONLayout.quoted(request.path))") }
    if let query = request.query { asked.append("\"query\": \(JSONLayout.quoted(query))") }
    asked += content(request.headers, request.body)
    let answer = ["\"status\": \(exchange.answer.status)"] + content(exchange.answer.headers, exchange.answer.body)
    members = JSONLayout.members(
      ["\"request\": \(JSONLayout.object(asked, 3))", "\"answer\": \(JSONLayout.object(answer, 3))"], 3)
  }

  /// The whole text.
  func text(epoch: Int, time: Date) -> String {
    JSONLayout.object(
      ["\"epoch\": \(epoch)", members, "\"recordedAt\": \(JSONLayout.quoted(BackendRecording.text(of: time)))"], 2)
  }

  private mutating func content(_ headers: HeaderFields, _ body: Data) -> [String] {
    var parts: [String] = []
    if !headers.fields.isEmpty {
      let names = Dictionary(grouping: headers.fields) { $0.name }.sorted {
        ($0.key.lowercased(), $0.key) < ($1.key.lowercased(), $1.key)
      }
      let lines = names.map { name, fields in
        let values = fields.map { JSONLayout.quoted($0.value) }
        return "\(JSONLayout.quoted(name)): \(values.count == 1 ? values[0] : JSONLayout.array(values, 5))"
      }
      parts.append("\"headers\": \(JSONLayout.object(lines, 4))")
    }
    if let body = self.body(body, type: headers["Content-Type"]) { parts.append(body) }
    return parts
  }

  private mutating func body(_ body: Data, type: String?) -> String? {
    guard !body.isEmpty else { return nil }
    if body.count <= Self.longestInline {
      let isJSON = type.map { $0.lowercased().contains("json") } ?? true
      if isJSON, let json = try? JSONText(body) { return "\"json\": \(json.pretty(depth: 4))" }
      // Foundation's decoding would drop a byte order mark.
      let text = String(decoding: body, as: UTF8.self)
      if Data(text.utf8) == body, !text.unicodeScalars.contains(where: Self.isBinary) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count > 1 else { return "\"text\": \(JSONLayout.quoted(text))" }
        let ended = lines.enumerated().map { $0 < lines.count - 1 ? $1 + "\n" : $1 }.filter { !$0.isEmpty }
        return "\"text\": \(JSONLayout.array(ended.map(JSONLayout.quoted), 4))"
      }
    }
    let name = RecordingFiles.name(ofBody: body, type: type)
    bodies[name] = body
    return "\"file\": \(JSONLayout.quoted(name))"
  }

  private static func isBinary(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && !"\n\r\t".unicodeScalars.contains(scalar) || scalar.value == 0x7F
  }
}

/// JSON as recordings have it: a line for each member, two spaces deeper than the brackets.
enum JSONLayout {
  static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.write(string: text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  static func object(_ members: [String], _ depth: Int) -> String { block(members, "{", "}", depth) }

  static func array(_ elements: [String], _ depth: Int) -> String { block(elements, "[", "]", depth) }

  /// Members or elements of brackets at a depth.
  static func members(_ lines: [String], _ depth: Int) -> String {
    lines.joined(separator: ",\n\(String(repeating: "  ", count: depth))")
  }

  private static func block(_ lines: [String], _ opening: String, _ closing: String, _ depth: Int) -> String {
    guard !lines.isEmpty else { return opening + closing }
    let indent = String(repeating: "  ", count: depth)
    return "\(opening)\n\(indent)  \(members(lines, depth + 1))\n\(indent)\(closing)"
  }
}
