import Foundation
import TrackingJSON

/// An exchange as a recording's file has it, without its epoch and its time.
struct ExchangeText {
  /// The largest body, in bytes, that is written into its exchange's file.
  private static let longestInline = 16 * 1_024

  private var request: JSONTree = [:]
  private var answer: JSONTree = [:]
  /// The request and the answer as text: equal for two exchanges that differ only in epoch and time.
  private(set) var members = ""
  /// The bodies in separate files, by their paths.
  private(set) var bodies: [String: Data] = [:]

  init(_ exchange: RecordedExchange, in recording: BackendRecording) {
    let request = exchange.request
    let target: JSONTree = [
      "origin": Set(recording.upstreams.values).count > 1 ? JSONTree(request.origin) : nil,
      "path": recording.path(of: exchange) != request.path ? JSONTree(request.path) : nil,
      "query": request.query.map { JSONTree($0) },
    ]
    let status: JSONTree = ["status": JSONTree(integerLiteral: exchange.answer.status)]
    self.request = target.adding(content(request.headers, request.body))
    answer = status.adding(content(exchange.answer.headers, exchange.answer.body))
    members = (["request": self.request, "answer": answer] as JSONTree).text(.lines)
  }

  /// The whole exchange.
  func tree(epoch: Int, time: Date) -> JSONTree {
    [
      "epoch": JSONTree(integerLiteral: epoch), "request": request, "answer": answer,
      "recordedAt": JSONTree(BackendRecording.text(of: time)),
    ]
  }

  private mutating func content(_ headers: HeaderFields, _ body: Data) -> [JSONTree.Member] {
    var parts: [JSONTree.Member] = []
    if !headers.lines.isEmpty {
      let names = Dictionary(grouping: headers.lines) { $0.name }.sorted {
        ($0.key.lowercased(), $0.key) < ($1.key.lowercased(), $1.key)
      }
      let members = names.map { name, fields in
        let values = fields.map { JSONTree($0.value) }
        return JSONTree.Member(name, values.count == 1 ? values[0] : JSONTree(.array(values)))
      }
      parts.append(.init("headers", JSONTree(.object(members))))
    }
    if let body = self.body(body, type: headers["Content-Type"]) { parts.append(body) }
    return parts
  }

  private mutating func body(_ body: Data, type: String?) -> JSONTree.Member? {
    guard !body.isEmpty else { return nil }
    if body.count <= Self.longestInline {
      let isJSON = type.map { $0.lowercased().contains("json") } ?? true
      if isJSON, let json = try? JSONTree(body, spelling: .written, maximumDepth: BackendRecording.deepestBody) {
        return .init("json", json)
      }
      // Foundation's decoding would drop a byte order mark.
      let text = String(decoding: body, as: UTF8.self)
      if Data(text.utf8) == body, !text.unicodeScalars.contains(where: Self.isBinary) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count > 1 else { return .init("text", JSONTree(text)) }
        let ended = lines.enumerated().map { $0 < lines.count - 1 ? $1 + "\n" : $1 }.filter { !$0.isEmpty }
        return .init("text", JSONTree(.array(ended.map { JSONTree($0) })))
      }
    }
    let name = RecordingFiles.name(ofBody: body, type: type)
    bodies[name] = body
    return .init("file", JSONTree(name))
  }

  private static func isBinary(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && !"\n\r\t".unicodeScalars.contains(scalar) || scalar.value == 0x7F
  }
}
