import Foundation
import TrackingJSON
import TrackingModel
import TrackingPatterns

/// A check on a command line: JSON, or words such as `purchase total>100 currency=EUR`, `POST /orders responded=201`.
struct CheckWords {
  let json: JSONTree
  /// The interpretation of ambiguous words, for a failure.
  private(set) var hint: String?

  /// Reads a shell's words; reads standard input for `-`.
  ///
  /// - Throws: The mistake, and what to write instead.
  static func call(_ operands: [String], standardInput: () -> Data) throws -> CheckWords {
    let text = operands.joined(separator: " ")
    if text == "-" { return try CheckWords(json: standardInput(), named: "standard input") }
    if let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first) {
      return try CheckWords(json: Data(text.utf8), named: "the check")
    }
    for word in operands where word.hasSuffix(".json") || isFile(word) {
      throw CommandError(
        "\(word) is a file, and a check is read from standard input: tracking wait - < \(word); for an event of this "
          + "name, write '\(json(["event": .string(word)]))'")
    }
    return try CheckWords(words: text)
  }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
  }

  private init(json data: Data, named name: String) throws {
    do throws(JSONError) {
      let node = try JSONNode(data)
      _ = try node.members()
      json = node.tree
    } catch {
      throw CommandError("\(name): \(error.text(in: [UInt8](data)))")
    }
  }

  private init(words text: String) throws {
    // A name may contain spaces: the conditions are the words with a sign at the end.
    var rest = text.split(separator: " ").joined(separator: " ")
    guard !rest.isEmpty else { throw CommandError("the check is empty: name an event, or a method and a path") }
    var conditions = WordConditions()
    while let shorter = try conditions.takeLast(of: rest) { rest = shorter }
    let words = rest.split(separator: " ").map(String.init)
    // A request is a known method and a path: the names of events may have capitals and slashes.
    let isRequest = words.count > 1 && Self.methods.contains(words[0]) && words[1].hasPrefix("/")
    if let slip = Self.slip(in: words[...], isRequest: isRequest) {
      throw CommandError("\(slip); for an event of this name, write '\(Self.json(["event": .string(rest)]))'")
    }
    guard isRequest else {
      json = JSONTree(of: .object(try conditions.members(of: rest)))
      if conditions.isEmpty, words.count > 1 || rest.hasPrefix("/") { hint = Self.hint(for: rest) }
      return
    }
    if let comparison = conditions.comparisons.first {
      throw CommandError(
        "a request is compared only by its status, as responded=201, and not by \(comparison); for more, write JSON: "
          + #"'{"request": "\#(rest)", …}'"#)
    }
    guard words.count == 2 else { throw CommandError("\(words[2]) is unknown after a path; write responded=201") }
    let other = conditions.params.keys.sorted().first {
      !["responded", "query", "requestHeaders", "body"].contains($0)
    }
    if let other {
      throw CommandError(
        "\(other) is unknown after a path; write responded=201, or JSON for the query, header fields and body")
    }
    json = JSONTree(of: .object(conditions.params.merging(["request": .string(rest)]) { $1 }))
  }

  private static func hint(for name: String) -> String {
    Excerpt.wrapped(
      "The words were taken for the name of an event, \(TrackingValue.string(name)). A param is written name=value or "
        + "'name>5', in quotes because a shell takes < and > for itself, and a request METHOD /path.")
  }

  /// Returns the mistake in words that can't be an event's name.
  private static func slip(in words: ArraySlice<String>, isRequest: Bool) -> String? {
    guard let first = words.first, !isRequest else { return nil }
    if let param = words.first(where: WordConditions.isCondition) {
      let name = param.prefix { !WordConditions.isSign($0) }
      let sign = param.dropFirst(name.count).prefix(1)
      return words.count > 1
        ? "a value with a space can't follow \(name)\(sign): write JSON"
        : "\(param) is a param without an event: the event's name comes first"
    }
    guard words.count > 1 else {
      return methods.contains(first) ? "\(first) is a method without a path: write \(first) /path" : nil
    }
    if methods.contains(first.uppercased()), words[1].hasPrefix("/") {
      return "a method is in capitals: \(first.uppercased()) \(words[1])"
    }
    guard words.count == 2, methods.contains(first) else { return nil }
    let path = words[1].contains("://") ? URL(string: words[1])?.path() ?? "" : words[1]
    return "the path of a request begins with a slash: \(first) /\(path.drop { $0 == "/" })"
  }

  /// The methods of RFC 9110 and of RFC 5789.
  private static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"]

  static func json(_ members: [String: TrackingValue]) -> String {
    JSONTree(of: TrackingValue.object(members)).text(.compact)
  }
}
