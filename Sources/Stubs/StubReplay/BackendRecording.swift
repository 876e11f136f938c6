import Foundation
import TrackingJSON
import TrackingModel

/// The exchanges with one or several backends: the content of a folder under `Recordings`.
public struct BackendRecording: Hashable, Sendable {
  /// The backends' origins by the path or host of the requests that they get: `["/*": "https://api.example"]`.
  public var upstreams: [String: String]
  /// The exchanges, in the order in which the requests arrived.
  public var exchanges: [RecordedExchange]
  /// The templates of paths whose requests are answered alike: `/books/:id`.
  public var paths: [String]
  /// The header fields of requests that are compared, besides those that must be.
  public var headers: [String]
  /// The places that were redacted.
  public var redacted: [String]

  /// A recording.
  public init(
    upstreams: [String: String] = [:], exchanges: [RecordedExchange] = [], paths: [String] = [],
    headers: [String] = [], redacted: [String] = []
  ) {
    self.upstreams = upstreams
    self.exchanges = exchanges
    self.paths = paths
    self.headers = headers
    self.redacted = redacted
  }

  /// The exchanges, each with its epoch: its own, or the number of those before it that change something.
  public var numbered: [RecordedExchange] {
    var epoch = 0
    return exchanges.map { exchange in
      var copy = exchange
      copy.epoch = exchange.epoch ?? epoch
      // Clamped, because a person may have written any number into a file.
      if exchange.request.changesSomething { epoch = min(max(epoch, copy.epoch ?? 0), .max - 1) + 1 }
      return copy
    }
  }
}

/// An error of reading, making or writing a recording.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The reason, with the file, variable or URL at fault and what to do about it.
  public let description: String
  /// The same.
  public var errorDescription: String? { description }

  /// An error with a reason.
  public init(_ description: String) {
    self.description = description
  }
}

extension RecordedExchange.Request {
  /// Whether the method is one that changes the backend's state.
  public var changesSomething: Bool { HTTPRequest(method: .init(rawValue: method), path: path).changesSomething }

  /// The path and the query as sent.
  public var target: String { path + (query.map { "?\($0)" } ?? "") }
}

/// Texts in a recording that stand for any value.
package enum OpenText {
  /// A value that a person, or `ignoring:`, has left open.
  package static let any = "{any}"

  /// Whether a text holds something that a replay's request can't repeat: a redacted value, or one that is left open.
  package static func isOpen(_ text: String) -> Bool {
    isRedacted(text) || text.contains(any) || text.contains(RecordedBase.placeholder) || text.contains("7Bbase%")
  }

  /// Whether a text holds a redacted value, as it is or percent-encoded, once or more, as in a URL that is an item of another.
  package static func isRedacted(_ text: String) -> Bool {
    text.contains("[redacted ") || text.contains("5Bredacted%")
  }

  /// Whether a text has placeholders, and all of them are among some.
  package static func isHandedOut(_ text: String, in placeholders: Set<String>) -> Bool {
    let parts = text.components(separatedBy: "[redacted ").dropFirst()
    return !parts.isEmpty
      && parts.allSatisfy { part in
        part.firstIndex(of: "]").map { placeholders.contains("[redacted \(part[...$0])") } ?? false
      }
  }

  /// The cookies of a header field.
  package static func cookies(of field: String) -> [(name: String, value: String)] {
    field.split(separator: ";").compactMap { pair in
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      return (
        pair[..<equals].trimmingCharacters(in: .whitespaces),
        pair[pair.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      )
    }
  }
}

// MARK: - Reading

extension BackendRecording {
  /// The name of the file that identifies a folder as a recording.
  package static let indexName = "recording.json"
  /// The format that this version reads and writes.
  package static let format = 1
  /// The deepest nesting of a body that is kept as JSON, on a thread with a small stack, too; deeper ones are texts.
  package static let deepestBody = 128

  /// Reads the recording in a folder.
  ///
  /// - Throws: ``RecordingError`` with the file that can't be used, and why.
  public init(contentsOf folder: URL) throws {
    self.init()
    let index = try Self.object(Self.indexName, in: folder)
    guard let format = index["format"]?.int else {
      throw RecordingError("\(Self.path(Self.indexName, folder)) has no \"format\": it isn't a recording.")
    }
    guard format == Self.format else {
      throw RecordingError(
        "\(Self.path(Self.indexName, folder)) has format \(format), and this version reads format \(Self.format).")
    }
    for member in index["upstreams"]?.members ?? [] { upstreams[member.key] = member.value.string }
    paths = index["paths"]?.strings ?? []
    headers = index["headers"]?.strings ?? []
    redacted = index["redacted"]?.strings ?? []
    let date = index["recordedAt"]?.string.flatMap(Self.date) ?? Date(timeIntervalSince1970: 0)
    var read: [RecordedExchange] = []
    for name in try Self.entryNames(in: folder) { read += try exchanges(ofFile: name, in: folder, recordedAt: date) }
    exchanges = Self.ordered(read, by: index["order"]?.strings ?? [])
  }

  /// The files of a folder that hold exchanges, such as `GET books.json`.
  ///
  /// Their names begin with a method: a usual one, or one that the recording's index names. A folder may have other files, which are left alone.
  package static func entryNames(in folder: URL) throws -> [String] {
    let lines = (try? object(indexName, in: folder))?["order"]?.strings ?? []
    let methods = usualMethods.union(lines.map { String($0.prefix { $0 != " " }) })
    func isEntry(_ file: URL) -> Bool {
      guard file.pathExtension == "json", let space = file.lastPathComponent.firstIndex(of: " "),
        methods.contains(PercentEncoding.decoded(file.lastPathComponent[..<space]))
      else { return false }
      return (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true
    }
    do {
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
        .filter(isEntry).map(\.lastPathComponent).sorted()
    } catch {
      throw RecordingError("\(folder.path(percentEncoded: false)) can't be read: \(error.localizedDescription)")
    }
  }

  /// Whether a file holds exchanges.
  package static func isEntry(_ name: String, in folder: URL) -> Bool {
    (try? object(name, in: folder))?["exchanges"] != nil
  }

  private static let usualMethods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  /// Exchanges in an order of their request lines; those that aren't in it come at the end of their epoch.
  private static func ordered(_ exchanges: [RecordedExchange], by lines: [String]) -> [RecordedExchange] {
    var left = Dictionary(grouping: exchanges, by: \.request.line).mapValues { $0[...] }
    var result = lines.compactMap { left[$0]?.popFirst() }
    for exchange in exchanges.compactMap({ left[$0.request.line]?.popFirst() }) {
      let place = result.lastIndex { ($0.epoch ?? 0) <= (exchange.epoch ?? 0) }
      result.insert(exchange, at: place.map { $0 + 1 } ?? 0)
    }
    return result
  }

  private func exchanges(ofFile name: String, in folder: URL, recordedAt date: Date) throws -> [RecordedExchange] {
    let file = try Self.object(name, in: folder)
    func wrong(_ what: String) -> RecordingError { RecordingError("\(Self.path(name, folder)) \(what).") }
    guard let method = file["method"]?.string, let path = file["path"]?.string,
      let exchanges = file["exchanges"]?.elements
    else { throw wrong("has no \"method\", \"path\" and \"exchanges\"") }
    return try exchanges.enumerated().map { index, exchange in
      guard let answer = exchange["answer"], let status = answer["status"]?.int else {
        throw wrong("has an exchange without the status of its answer, the one with number \(index + 1)")
      }
      let request = exchange["request"] ?? [:]
      let origins = Set(upstreams.values)
      guard let origin = request["origin"]?.string ?? (origins.count < 2 ? origins.first ?? "" : nil) else {
        throw wrong("has an exchange without the \"origin\" of its backend, the one with number \(index + 1)")
      }
      return RecordedExchange(
        request: RecordedExchange.Request(
          method: method, origin: origin, path: request["path"]?.string ?? path, query: request["query"]?.string,
          headers: Self.headers(request["headers"]), body: try Self.body(request, of: name, in: folder)),
        answer: RecordedExchange.Answer(
          status: status, headers: Self.headers(answer["headers"]), body: try Self.body(answer, of: name, in: folder)),
        date: exchange["recordedAt"]?.string.flatMap(Self.date) ?? date, epoch: exchange["epoch"]?.int)
    }
  }

  private static func headers(_ fields: JSONTree?) -> HeaderFields {
    HeaderFields(
      lines: (fields?.members ?? []).flatMap { field in
        field.value.strings.map { NamedText(name: field.key, value: $0) }
      })
  }

  /// A body: JSON or text in the file itself, or another file.
  private static func body(_ parts: JSONTree, of name: String, in folder: URL) throws -> Data {
    // The recorded text without its white space.
    if let json = parts["json"] { return Data(json.text(.compact).utf8) }
    if let text = parts["text"] { return Data(text.strings.joined().utf8) }
    guard let file = parts["file"]?.string else { return Data() }
    do throws(StubError) {
      return try StubFolder.url(folder).data(of: file)
    } catch {
      throw RecordingError("\(path(name, folder)) names a body that can't be used: \(error).")
    }
  }

  private static func object(_ name: String, in folder: URL) throws -> JSONTree {
    let data: Data
    do {
      data = try Data(contentsOf: folder.appending(path: name))
    } catch {
      throw RecordingError("\(path(name, folder)) can't be read: \(error.localizedDescription)")
    }
    do {
      // A body is inside of four brackets.
      let tree = try JSONTree(data, spelling: .written, maximumDepth: deepestBody + 4)
      guard tree.members != nil else { throw RecordingError("\(path(name, folder)) isn't a JSON object.") }
      return tree
    } catch let error as JSONError {
      let position = [UInt8](data).withUnsafeBufferPointer { LineTable($0).position(of: error.offset) }
      // Earlier versions kept bodies of up to 252 levels as JSON.
      let advice =
        error.reason.hasPrefix("nested deeper")
        ? " Record it again, or move the value of \"json\" to a string in \"text\"." : ""
      throw RecordingError(
        "\(path(name, folder)) isn't JSON: line \(position.line), column \(position.column): \(error.reason).\(advice)")
    }
  }

  private static func path(_ name: String, _ folder: URL) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }

  /// A date as recordings have it: `2026-11-22T10:00:00Z`.
  package static func text(of date: Date) -> String { date.formatted(.iso8601) }

  private static func date(_ text: String) -> Date? { try? Date.ISO8601FormatStyle().parse(text) }
}

extension RecordedExchange.Request {
  /// For the order of exchanges: `GET /books?page=2`.
  package var line: String { "\(method) \(target)" }
}

extension String {
  /// Whether it is the name of the field with a request's cookies.
  package var isCookie: Bool { lowercased() == "cookie" }
}

extension JSONTree {
  /// The text of a string, or the texts of an array of strings.
  fileprivate var strings: [String] { string.map { [$0] } ?? (elements ?? []).compactMap(\.string) }
}
