import Foundation
import TrackingJSON
import TrackingModel

/// A question as words of a shell: `purchase total=120`, `POST /orders responded=201`.
enum CheckWords {
  /// The question's members as JSON.
  ///
  /// A value is JSON if it can be read as such, and otherwise a string.
  static func call(_ text: String) throws -> [String: TrackingValue] {
    // A name may have spaces: members are the words with an equals sign at the end.
    var words = text.split(separator: " ").map(String.init)[...]
    var members: [String: TrackingValue] = [:]
    while words.count > 1, let last = words.last, let sign = last.firstIndex(of: "="), !last.hasPrefix("/"),
      sign != last.startIndex,
      !"<>!".contains(last[last.index(before: sign)])
    {
      let value = String(last[last.index(after: sign)...])
      members[String(last[..<sign])] = read(value)
      words.removeLast()
    }
    let name = words.joined(separator: " ")
    // A request is a known method and a path: the names of events have capitals and slashes, too.
    let isRequest = words.count > 1 && methods.contains(words[0]) && words[1].hasPrefix("/")
    if let place = words.indices.dropFirst().first(where: { words[$0].wholeMatch(of: comparison) != nil }) {
      let instead =
        isRequest
        ? "of a request they name only the status, as responded=201; for more, use"
        : "write \(schema(of: words[place], event: words[..<place].joined(separator: " "), members)) to"
      throw Refusal("words can't ask \(words[place]): \(instead) `tracking ask -`")
    }
    guard !isRequest else {
      guard words.count == 2 else {
        throw Refusal("\(words[2]) is unknown behind a path; there is responded=201")
      }
      return members.merging(["request": .string(name)]) { $1 }
    }
    if let word = words.first(where: { $0.contains("=") && words.count > 1 }) {
      throw Refusal("a value with a space can't follow \(word.prefix { $0 != "=" })=; use `tracking ask`")
    }
    var call: [String: TrackingValue] = ["event": .string(name)]
    if !members.isEmpty { call["params"] = .object(members) }
    return call
  }

  /// The methods of RFC 9110 and of RFC 5789.
  private static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"]

  /// A key, a comparison other than `=`, and a value.
  private static var comparison: Regex<(Substring, Substring, Substring, Substring)> {
    /([\p{L}\p{N}_.$]+)(>=|<=|!=|>|<)(.+)/
  }

  /// The question about an event with some params and one for which a comparison holds, as JSON.
  private static func schema(of word: String, event: String, _ params: [String: TrackingValue]) -> String {
    guard let (_, key, sign, value) = word.wholeMatch(of: comparison)?.output else { return word }
    let keyword = [">": "exclusiveMinimum", ">=": "minimum", "<": "exclusiveMaximum", "<=": "maximum"][String(sign)]
    let rule: TrackingValue = keyword.map { [$0: read(String(value))] } ?? ["not": ["const": read(String(value))]]
    var call: [String: TrackingValue] = [
      "event": .string(event),
      "paramsSchema": ["properties": [String(key): rule], "required": [.string(String(key))]],
    ]
    if !params.isEmpty { call["params"] = .object(params) }
    return JSONTree(of: TrackingValue.object(call)).text(.compact)
  }

  private static func read(_ text: String) -> TrackingValue {
    (try? JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))) ?? .string(text)
  }
}
