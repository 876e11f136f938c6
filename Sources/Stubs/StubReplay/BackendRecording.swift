import Foundation
import TrackingJSON
import TrackingModel

/// The exchanges with one or several backends: the content of a folder under `Recordings`.
package struct BackendRecording: Hashable, Sendable {
  /// The backends' origins by the path or host of the requests that they get: `["/*": "https://api.example"]`.
  package var upstreams: [String: String]
  /// The exchanges: in a file epoch by epoch, sorted by path, method, query and body, and equal requests as they arrived.
  package var exchanges: [RecordedExchange]
  /// The templates of paths whose requests are answered alike: `/books/:id`.
  package var paths: [String]
  /// The header fields of requests that are compared, besides those that must be.
  package var headers: [String]

  /// A recording.
  package init(
    upstreams: [String: String] = [:], exchanges: [RecordedExchange] = [], paths: [String] = [],
    headers: [String] = []
  ) {
    self.upstreams = upstreams
    self.exchanges = exchanges
    self.paths = paths
    self.headers = headers
  }

  /// The exchanges, each with its epoch: its own, or the number of those before it that change something.
  package var numbered: [RecordedExchange] {
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
  package init(_ description: String) {
    self.description = description
  }
}

extension RecordedExchange.Request {
  /// Whether the method is one that changes the backend's state.
  package var changesSomething: Bool { ReceivedRequest(method: .init(rawValue: method), path: path).changesSomething }

  /// The path and the query as sent.
  package var target: String { path + (query.map { "?\($0)" } ?? "") }
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

extension BackendRecording {
  /// The placeholders that answers have, and that an app sends back in a replay.
  package var handedOut: Set<String> {
    exchanges.reduce(into: []) { placeholders, exchange in
      let texts = exchange.answer.headers.lines.map(\.value) + [String(decoding: exchange.answer.body, as: UTF8.self)]
      for text in texts where OpenText.isRedacted(text) {
        let plain = (0..<3).reduce(text) { text, _ in text.contains("5Bredacted") ? PercentEncoding.decoded(text) : text
        }
        for part in plain.components(separatedBy: "[redacted ").dropFirst() {
          if let end = part.firstIndex(of: "]") { placeholders.insert("[redacted \(part[...end])") }
        }
      }
    }
  }
}

// MARK: - Reading

extension BackendRecording {
  /// The name of the file that identifies a folder as a recording.
  package static let indexName = "recording.json"
  /// The format that this version reads and writes.
  package static let format = 2
  /// The folder of bodies that are binary or large.
  package static let bodiesFolder = "bodies"
  /// The deepest nesting of a body that is kept as JSON, on a thread with a small stack, too; deeper ones are texts.
  package static let deepestBody = 128

  /// Reads the recording in a folder.
  ///
  /// - Throws: ``RecordingError`` with the file that can't be used, and why.
  package init(contentsOf folder: URL) throws {
    self.init()
    let index = try Self.object(in: folder)
    guard let format = index["format"]?.int else {
      throw RecordingError("\(Self.path(folder)) has no \"format\": it isn't a recording.")
    }
    guard format == Self.format else {
      throw RecordingError(
        "\(Self.path(folder)) has format \(format), and this version reads format \(Self.format): record it again.")
    }
    for member in index["upstreams"]?.members ?? [] { upstreams[member.key] = member.value.string }
    paths = index["paths"]?.strings ?? []
    headers = index["headers"]?.strings ?? []
    exchanges = try (index["exchanges"]?.elements ?? []).enumerated().map { index, exchange in
      try self.exchange(exchange, number: index + 1, in: folder)
    }
  }

  private func exchange(_ exchange: JSONTree, number: Int, in folder: URL) throws -> RecordedExchange {
    func wrong(_ what: String) -> RecordingError {
      RecordingError("\(Self.path(folder)) has an exchange without \(what), the one with number \(number).")
    }
    guard let answer = exchange["answer"], let status = answer["status"]?.int else {
      throw wrong("the status of its answer")
    }
    guard let request = exchange["request"], let method = request["method"]?.string, let path = request["path"]?.string
    else { throw wrong("the method and the path of its request") }
    let origins = Set(upstreams.values)
    guard let origin = request["origin"]?.string ?? (origins.count < 2 ? origins.first ?? "" : nil) else {
      throw wrong("the \"origin\" of its backend")
    }
    return RecordedExchange(
      request: RecordedExchange.Request(
        method: method, origin: origin, path: path, query: request["query"]?.string,
        headers: Self.headers(request["headers"]), body: try Self.body(request, in: folder)),
      answer: RecordedExchange.Answer(
        status: status, headers: Self.headers(answer["headers"]), body: try Self.body(answer, in: folder)),
      epoch: exchange["epoch"]?.int)
  }

  private static func headers(_ fields: JSONTree?) -> MessageHeaders {
    MessageHeaders(
      lines: (fields?.members ?? []).flatMap { field in
        field.value.strings.map { NamedText(name: field.key, value: $0) }
      })
  }

  /// A body: JSON or text in the file itself, or another file.
  private static func body(_ parts: JSONTree, in folder: URL) throws -> Data {
    // The recorded text without its white space.
    if let json = parts["json"] { return Data(json.text(.compact).utf8) }
    if let text = parts["text"] { return Data(text.strings.joined().utf8) }
    guard let file = parts["file"]?.string else { return Data() }
    do throws(StubError) {
      return try StubFolder.url(folder).data(of: file)
    } catch {
      throw RecordingError("\(path(folder)) names a body that can't be used: \(error).")
    }
  }

  private static func object(in folder: URL) throws -> JSONTree {
    let data: Data
    do {
      data = try Data(contentsOf: folder.appending(path: indexName))
    } catch {
      throw RecordingError("\(path(folder)) can't be read: \(error.localizedDescription)")
    }
    do {
      // A body is inside of four brackets.
      let tree = try JSONTree(data, spelling: .written, maximumDepth: deepestBody + 4)
      guard tree.members != nil else { throw RecordingError("\(path(folder)) isn't a JSON object.") }
      return tree
    } catch let error as JSONError {
      let position = [UInt8](data).withUnsafeBufferPointer { LineTable($0).position(of: error.offset) }
      throw RecordingError(
        "\(path(folder)) isn't JSON: line \(position.line), column \(position.column): \(error.reason).")
    }
  }

  private static func path(_ folder: URL) -> String {
    folder.appending(path: indexName).path(percentEncoded: false)
  }
}

extension RecordedExchange.Request {
  /// For messages: `GET /books?page=2`.
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
