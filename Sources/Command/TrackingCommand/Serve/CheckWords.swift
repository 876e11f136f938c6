import Foundation
import TrackingJSON
import TrackingModel
import TrackingPatterns
import TrackingPlan

/// A check on a command line: JSON, or words such as `purchase total=120`, `POST /orders responded=201`.
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
      throw PlanError(error, in: [UInt8](data), of: name)
    }
  }

  /// Reads a value as JSON if possible, otherwise as a string.
  private init(words text: String) throws {
    // A name may contain spaces: members are the words with an equals sign at the end.
    var words = text.split(separator: " ").map(String.init)[...]
    guard !words.isEmpty else { throw CommandError("the check is empty: name an event, or a method and a path") }
    var members: [String: TrackingValue] = [:]
    while words.count > 1, let last = words.last, let sign = last.firstIndex(of: "="), !last.hasPrefix("/"),
      sign != last.startIndex,
      !"<>!".contains(last[last.index(before: sign)])
    {
      let (key, value) = (String(last[..<sign]), String(last[last.index(after: sign)...]))
      guard members[key] == nil else { throw CommandError("\(key) is given twice") }
      guard !value.hasPrefix("=") else { throw CommandError("a value follows one equals sign: \(key)\(value)") }
      members[key] = Self.read(value)
      words.removeLast()
    }
    let name = words.joined(separator: " ")
    // A request is a known method and a path: the names of events may have capitals and slashes.
    let isRequest = words.count > 1 && Self.methods.contains(words[0]) && words[1].hasPrefix("/")
    if let place = words.indices.dropFirst().first(where: { words[$0].wholeMatch(of: Self.comparison) != nil }) {
      let instead =
        isRequest
        ? #"of a request, they have only the status, as responded=201; for more, write JSON: '{"request": "\#(words[..<place].joined(separator: " "))", …}'"#
        : "write '\(Self.schema(of: words[place], event: words[..<place].joined(separator: " "), members))'"
      throw CommandError("words have no comparison such as \(words[place]): \(instead)")
    }
    if let slip = Self.slip(in: words, isRequest: isRequest) {
      throw CommandError("\(slip); for an event of this name, write '\(Self.json(["event": .string(name)]))'")
    }
    guard !isRequest else {
      guard words.count == 2 else { throw CommandError("\(words[2]) is unknown after a path; write responded=201") }
      if let other = members.keys.sorted().first(where: {
        !["responded", "query", "requestHeaders", "body"].contains($0)
      }) {
        throw CommandError(
          "\(other) is unknown after a path; write responded=201, or JSON for the query, header fields and body")
      }
      json = JSONTree(of: .object(members.merging(["request": .string(name)]) { $1 }))
      return
    }
    var call: [String: TrackingValue] = ["event": .string(name)]
    if !members.isEmpty { call["params"] = .object(members) }
    json = JSONTree(of: .object(call))
    guard words.count > 1 || name.hasPrefix("/") else { return }
    hint = Excerpt.wrapped(
      "The words were taken for the name of an event, \(TrackingValue.string(name)). A param is written name=value, and "
        + "a request METHOD /path.")
  }

  /// Returns the mistake in words that can't be an event's name.
  private static func slip(in words: ArraySlice<String>, isRequest: Bool) -> String? {
    guard let first = words.first, !isRequest else { return nil }
    if let param = words.first(where: { $0.contains("=") && !$0.hasPrefix("/") }) {
      let name = param.prefix { $0 != "=" }
      return words.count > 1
        ? "a value with a space can't follow \(name)=: write JSON"
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

  /// A key, a comparison other than `=`, and a value.
  private static var comparison: Regex<(Substring, Substring, Substring, Substring)> {
    /([\p{L}\p{N}_.$]+)(>=|<=|!=|>|<)(.+)/
  }

  /// Returns the JSON of a check for an event with params, one of which is compared.
  private static func schema(of word: String, event: String, _ params: [String: TrackingValue]) -> String {
    guard let (_, key, sign, value) = word.wholeMatch(of: comparison)?.output else { return word }
    let keyword = [">": "exclusiveMinimum", ">=": "minimum", "<": "exclusiveMaximum", "<=": "maximum"][String(sign)]
    let rule: TrackingValue = keyword.map { [$0: read(String(value))] } ?? ["not": ["const": read(String(value))]]
    var call: [String: TrackingValue] = [
      "event": .string(event),
      "paramsSchema": ["properties": [String(key): rule], "required": [.string(String(key))]],
    ]
    if !params.isEmpty { call["params"] = .object(params) }
    return json(call)
  }

  private static func json(_ members: [String: TrackingValue]) -> String {
    JSONTree(of: TrackingValue.object(members)).text(.compact)
  }

  private static func read(_ text: String) -> TrackingValue {
    (try? JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))) ?? .string(text)
  }
}
