import Foundation
import TrackingJSON
import TrackingModel

extension BackendRecording {
  /// Reads the recording in a folder; throws ``RecordingError`` with the unusable file, the place and the reason.
  package init(contentsOf folder: URL) throws {
    self.init()
    let file = try RecordingFile(folder)
    let index = file.index
    guard let format = index["format"]?.int else {
      throw RecordingError("\(file.path) has no \"format\": it isn't a recording.")
    }
    guard format == RecordingFormat.number else {
      throw RecordingError(
        "\(file.path) has format \(format), and this version reads format \(RecordingFormat.number): record it again.")
    }
    try file.check(index, .recording)
    for member in index["upstreams"]?.members ?? [] { upstreams[member.key] = member.value.string }
    paths = index["paths"]?.strings ?? []
    matching = index["matching"]?.strings ?? []
    guard let list = index["exchanges"]?.elements else {
      throw RecordingError("\(file.path) has no \"exchanges\".")
    }
    exchanges = try list.enumerated().map { index, exchange in
      try file.check(exchange, .exchange)
      return try self.exchange(exchange, in: file) {
        RecordingError("\(file.path) has an exchange without \($0), the one with number \(index + 1).")
      }
    }
  }

  private func exchange(
    _ exchange: JSONTree, in file: RecordingFile, without: (String) -> RecordingError
  ) throws -> RecordedExchange {
    guard let response = exchange["response"], let status = response["status"]?.int else {
      throw without("the status of its response")
    }
    guard let request = exchange["request"], let method = request["method"]?.string, let path = request["path"]?.string
    else { throw without("the method and the path of its request") }
    let origins = Set(upstreams.values)
    guard let origin = request["origin"]?.string ?? (origins.count < 2 ? origins.first ?? "" : nil) else {
      throw without("the \"origin\" of its backend")
    }
    return RecordedExchange(
      request: RecordedExchange.Request(
        method: method, origin: origin, path: path, query: request["query"]?.string,
        headers: RecordingFile.headers(request["headers"]), body: try file.body(request)),
      response: RecordedExchange.Response(
        status: status, headers: RecordingFile.headers(response["headers"]), body: try file.body(response)),
      epoch: exchange["epoch"]?.int)
  }
}

/// A `recording.json`, which people edit, too: what a replay would overlook is refused with its place.
private struct RecordingFile {
  let folder: URL
  let index: JSONTree
  private let data: Data

  var path: String { RecordingFormat.path(folder) }

  init(_ folder: URL) throws {
    let path = RecordingFormat.path(folder)
    do {
      data = try Data(contentsOf: folder.appending(path: RecordingFormat.indexName))
    } catch {
      throw RecordingError("\(path) can't be read: \(FileReason.of(error))")
    }
    self.folder = folder
    do {
      // A body is nested in four brackets.
      index = try JSONTree(data, spelling: .written, maximumDepth: RecordingFormat.deepestBody + 4)
    } catch {
      throw RecordingError("\(path) isn't JSON: \(Self.position(of: error.offset, in: data)): \(error.reason).")
    }
    guard index.members != nil else { throw RecordingError("\(path) isn't a JSON object.") }
  }

  private static func position(of offset: Int, in data: Data) -> String {
    let position = [UInt8](data).withUnsafeBufferPointer { LineTable($0).position(of: offset) }
    return "line \(position.line), column \(position.column)"
  }

  private func error(at tree: JSONTree, _ reason: String) -> RecordingError {
    let end = reason.hasSuffix("?") ? "" : "."
    return RecordingError("\(path), \(Self.position(of: Int(tree.place.offset), in: data)): \(reason)\(end)")
  }

  // MARK: Members

  /// An object of the file, its members and what their values are.
  struct Part: Sendable {
    let name: String
    let members: [String: Value]

    static let recording = Part(
      name: "a recording",
      members: ["format": .number, "upstreams": .texts, "paths": .lines, "matching": .lines, "exchanges": .list])
    static let exchange = Part(
      name: "an exchange", members: ["epoch": .number, "request": .part(.request), "response": .part(.response)])
    static let request = Part(
      name: "a request",
      members: bodies.merging(["method": .text, "origin": .text, "path": .text, "query": .text]) { $1 })
    static let response = Part(name: "a response", members: bodies.merging(["status": .number]) { $1 })
    private static let bodies: [String: Value] = ["headers": .fields, "json": .any, "text": .lines, "file": .text]
  }

  indirect enum Value: Sendable {
    case number, text, lines, texts, fields, list, any
    case part(Part)

    /// The required kind of value, if a value is of another kind.
    func problem(of tree: JSONTree) -> String? {
      func isLines(_ tree: JSONTree) -> Bool {
        tree.string != nil || tree.elements?.allSatisfy { $0.string != nil } == true
      }
      return switch self {
      case .number: tree.int == nil ? "a number" : nil
      case .text: tree.string == nil ? "a string" : nil
      case .lines: isLines(tree) ? nil : "a string or an array of strings"
      case .texts: tree.members?.allSatisfy { $0.value.string != nil } == true ? nil : "an object of strings"
      case .fields:
        tree.members?.allSatisfy { isLines($0.value) } == true ? nil : "an object of strings or arrays of strings"
      case .list: tree.elements == nil ? "an array" : nil
      case .part: tree.members == nil ? "an object" : nil
      case .any: nil
      }
    }
  }

  func check(_ tree: JSONTree, _ part: Part) throws {
    guard let members = tree.members else { throw error(at: tree, "\(part.name) is an object, not \(tree.kind)") }
    var known: Set<String> = []
    for member in members {
      guard let value = part.members[member.key] else {
        let others = part.members.keys.sorted()
        let advice =
          EditDistance.nearest(to: member.key, among: others).map { "did you mean \"\($0)\"?" }
          ?? "it may have \(others.map { "\"\($0)\"" }.joined(separator: ", "))"
        throw error(at: member.value, "\(part.name) has no member \"\(member.key)\"; \(advice)")
      }
      guard known.insert(member.key).inserted else {
        throw error(at: member.value, "\(part.name) has \"\(member.key)\" twice")
      }
      if let problem = value.problem(of: member.value) {
        let kind = member.value.kind
        let found = problem.hasPrefix(kind) ? "" : ", not \(kind)"
        throw error(at: member.value, "\"\(member.key)\" must be \(problem)\(found)")
      }
      if case .part(let part) = value { try check(member.value, part) }
    }
    let bodies = members.filter { ["json", "text", "file"].contains($0.key) }
    guard part.members["json"] == nil || bodies.count < 2 else {
      throw error(at: bodies[1].value, "\(part.name) has one body, not \"\(bodies[0].key)\" and \"\(bodies[1].key)\"")
    }
  }

  // MARK: Values

  static func headers(_ fields: JSONTree?) -> MessageHeaders {
    MessageHeaders(
      lines: (fields?.members ?? []).flatMap { field in
        field.value.strings.map { NamedText(name: field.key, value: $0) }
      })
  }

  /// Reads JSON or text in the file itself, or another file.
  func body(_ parts: JSONTree) throws -> Data {
    // The recorded text without its white space.
    if let json = parts["json"] { return Data(json.text(.compact).utf8) }
    if let text = parts["text"] { return Data(text.strings.joined().utf8) }
    guard let file = parts["file"]?.string else { return Data() }
    do throws(StubError) {
      return try StubFolder.url(folder).data(of: file)
    } catch {
      throw RecordingError("\(path) names a body that can't be used: \(error).")
    }
  }
}

extension JSONTree {
  fileprivate var strings: [String] { string.map { [$0] } ?? (elements ?? []).compactMap(\.string) }
}
