import Foundation
import TrackingJSON

/// Reads and writes `recording.json`, laid out for reviewers of a change, and its binary or large bodies.
package struct RecordingFormat {
  package static let number = 3
  /// The file that identifies a folder as a recording.
  package static let indexName = "recording.json"
  package static let bodiesFolder = "bodies"
  /// Limits bodies that are kept and compared as JSON, also on a thread with a small stack; deeper ones are texts.
  package static let deepestBody = ReceivedRequest.deepestJSON
  /// In bytes; larger bodies have separate files.
  private static let longestInline = 16 * 1_024

  package private(set) var index = Data()
  package private(set) var bodies: [String: Data] = [:]

  // MARK: Writing

  /// The recording must not contain secrets.
  package init(_ recording: BackendRecording) {
    func list(_ texts: [String]) -> JSONTree? { texts.isEmpty ? nil : JSONTree(.array(texts.map { JSONTree($0) })) }
    let upstreams = recording.upstreams.sorted { $0.key < $1.key }.map { JSONTree.Member($0.key, JSONTree($0.value)) }
    let hasOrigins = Set(recording.upstreams.values).count > 1
    let whole: JSONTree = [
      "format": JSONTree(integerLiteral: Self.number), "upstreams": JSONTree(.object(upstreams)),
      "paths": list(recording.paths), "matching": list(recording.matching),
      "exchanges": JSONTree(.array(recording.exchanges.map { tree(of: $0, hasOrigins) })),
    ]
    index = Data((whole.text(.lines) + "\n").utf8)
  }

  private mutating func tree(of exchange: RecordedExchange, _ hasOrigins: Bool) -> JSONTree {
    let (request, response) = (exchange.request, exchange.response)
    let target: JSONTree = [
      "method": JSONTree(request.method), "origin": hasOrigins ? JSONTree(request.origin) : nil,
      "path": JSONTree(request.path), "query": request.query.map { JSONTree($0) },
    ]
    let status: JSONTree = ["status": JSONTree(integerLiteral: response.status)]
    // A replay compares bytes if they can't be read as JSON.
    let isJSON = request.json != nil
    return [
      "epoch": JSONTree(integerLiteral: exchange.epoch ?? 0),
      "request": target.adding(content(request.headers, request.body, mayBeJSON: isJSON)),
      "response": status.adding(content(response.headers, response.body, mayBeJSON: true)),
    ]
  }

  private mutating func content(_ headers: MessageHeaders, _ body: Data, mayBeJSON: Bool) -> [JSONTree.Member] {
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
    if !body.isEmpty { parts.append(self.body(body, type: headers["Content-Type"], mayBeJSON)) }
    return parts
  }

  private mutating func body(_ body: Data, type: String?, _ mayBeJSON: Bool) -> JSONTree.Member {
    if body.count <= Self.longestInline {
      let isJSON = type.map { $0.lowercased().contains("json") } ?? true
      if isJSON, mayBeJSON,
        let json = try? JSONTree(body, spelling: .written, maximumDepth: Self.deepestBody)
      {
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
    let hash = EntityTag.of([UInt8](body)).filter { $0.isHexDigit || $0 == "-" }
    let name = "\(Self.bodiesFolder)/\(hash).\(MediaType.fileExtension(of: type))"
    bodies[name] = body
    return .init("file", JSONTree(name))
  }

  private static func isBinary(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && !"\n\r\t".unicodeScalars.contains(scalar) || scalar.value == 0x7F
  }
}

extension RecordingFormat {
  package static func path(_ folder: URL) -> String { folder.appending(path: indexName).path(percentEncoded: false) }
}
