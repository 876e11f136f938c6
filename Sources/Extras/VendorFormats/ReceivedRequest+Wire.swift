import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingServer

// Helpers that the decoders of formats share: reading requests and values, and noting problems.

extension ReceivedRequest {
  func wireJSON() throws(JSONError) -> TrackingValue {
    try TrackingValue(json: body)
  }

  /// Whether the body is a form, or begins with a form's field: web SDKs and `sendBeacon` label forms as text.
  func hasForm(_ field: String) -> Bool {
    hasType("application/x-www-form-urlencoded") || body.starts(with: "\(field)=".utf8)
  }

  /// Whether the body is of a media type, ignoring parameters; compares bytes, since `hasPrefix` may take very long.
  func hasType(_ type: String) -> Bool {
    headers["Content-Type"]?.lowercased().utf8.starts(with: type.utf8) ?? false
  }

  /// The items of the query; throws if it isn't UTF-8, since its bytes would be recorded as U+FFFD.
  func wireQuery() throws(DecodedSubmission.Malformed) -> ReceivedFields {
    if let queryText, !ReceivedFields.isText(queryText.utf8) {
      throw DecodedSubmission.Malformed(path: "", reason: "the query is not UTF-8")
    }
    return query
  }

  /// The fields of a form in the body; throws if it isn't UTF-8, since its bytes would be recorded as U+FFFD.
  func wireForm() throws(DecodedSubmission.Malformed) -> ReceivedFields {
    guard ReceivedFields.isText(body) else {
      throw DecodedSubmission.Malformed(path: "", reason: "the form is not UTF-8")
    }
    return form
  }

  func wireFields() throws(DecodedSubmission.Malformed) -> ReceivedFields {
    ReceivedFields(pairs: try wireQuery().pairs + (try wireForm().pairs))
  }
}

extension ReceivedFields {
  /// The values by name; the last counts if a name is repeated.
  ///
  /// - Throws: If a name has more combining characters in a row than text of any language, since hashing it would take very long.
  func members() throws(DecodedSubmission.Malformed) -> [String: TrackingValue] {
    var members: [String: TrackingValue] = [:]
    for item in items {
      guard item.name.isStreamSafe() else {
        throw DecodedSubmission.Malformed(
          path: "", reason: "more than 30 combining characters follow one another in a key")
      }
      members[item.name] = .string(item.value)
    }
    return members
  }
}

extension TrackingValue {
  init(json text: String) throws(JSONError) {
    try self.init(json: Data(text.utf8))
  }
}

// Params of an unexpected shape are refused with their place instead of being ignored.
extension Optional<TrackingValue> {
  /// The members of an object; empty if it is missing or `null`, or the empty array that PHP writes for an empty object.
  func members(at path: @autoclosure () -> String = "") throws(DecodedSubmission.Malformed) -> [String: TrackingValue] {
    switch self {
    case .object(let members)?: return members
    case nil, .null?, .array([])?: return [:]
    case let other?:
      throw DecodedSubmission.Malformed(path: path(), reason: "expected an object, found \(other.kind)")
    }
  }

  /// The elements of an array; empty if it is missing or `null`.
  func elements(at path: @autoclosure () -> String = "") throws(DecodedSubmission.Malformed) -> [TrackingValue] {
    switch self {
    case .array(let elements)?: return elements
    case nil, .null?: return []
    case let other?:
      throw DecodedSubmission.Malformed(path: path(), reason: "expected an array, found \(other.kind)")
    }
  }
}

extension TrackingValue {
  /// The members of an object that holds items; throws for `null`, because the items would be lost silently.
  func itemMembers() throws(DecodedSubmission.Malformed) -> [String: TrackingValue] {
    guard self != .null else { throw DecodedSubmission.Malformed(path: "", reason: "expected an object, found null") }
    return try Optional(self).members()
  }

  var id: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .int, .unsigned, .double, .bool: description
    case .null, .array, .object: nil
    }
  }

  /// A string that a format compares with its own words; `nil` if comparing it would take very long.
  var word: String? { stringValue.flatMap { $0.isStreamSafe() ? $0 : nil } }

  /// The value of a number, or of a text that is a number.
  var numeric: Double? {
    switch self {
    case .int(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .string(let text): Double(text)
    case .null, .bool, .array, .object: nil
    }
  }
}

extension [String: TrackingValue] {
  /// Takes values out, as params with other names.
  mutating func take(_ names: KeyValuePairs<String, String>) -> [TrackingParam: TrackingValue] {
    names.reduce(into: [:]) { params, name in
      if let value = removeValue(forKey: name.key) { params[.custom(key: name.value)] = value }
    }
  }
}

extension TrackingEvent {
  init(name: String, members: [String: TrackingValue]) {
    self.init(name: name, params: Dictionary(uniqueKeysWithValues: members.map { (.custom(key: $0), $1) }))
  }
}

extension Date {
  /// Parses a time: ISO 8601, or a number since 1970 whose size tells its unit.
  init?(wire value: TrackingValue) {
    if case .string(let text) = value,
      let date = WireDate.date(from: text) ?? WireDate.date(from: text.withColonInOffset)
    {
      self = date
      return
    }
    guard let number = value.numeric, number.isFinite, number > 0 else { return nil }
    switch number {
    case ..<1e11: self.init(timeIntervalSince1970: number)
    case ..<1e14: self.init(timeIntervalSince1970: number / 1e3)
    case ..<1e17: self.init(timeIntervalSince1970: number / 1e6)
    default: self.init(timeIntervalSince1970: number / 1e9)
    }
  }
}

extension String {
  func appending(path: String) -> String {
    if isEmpty || path.isEmpty { return self + path }
    let isPlace = hasPrefix("line ") || hasPrefix("item ")
    return self + (path.hasPrefix("[") ? "" : isPlace ? ": " : ".") + path
  }

  /// Adds the colon to a time offset such as `+0000` (ISO 8601's basic format).
  fileprivate var withColonInOffset: String {
    guard utf8.count > 5 else { return self }
    return utf8.suffix(5).first.map { "+-".utf8.contains($0) } == true ? "\(dropLast(2)):\(suffix(2))" : self
  }
}

extension DecodedSubmission {
  /// Notes an item that can't be read, up to a thousand.
  mutating func note(_ problem: Malformed) {
    if malformed.count < 1_000 { malformed.append(problem) }
  }

  /// Reads a part, and notes its errors; all paths begin with the part's place.
  mutating func read(_ place: @autoclosure () -> String, _ part: (inout DecodedSubmission) throws -> Void) {
    let known = malformed.count
    do {
      try part(&self)
    } catch let problem as Malformed {
      note(problem)
    } catch let error as JSONError {
      note(Malformed(path: error.path, reason: error.reason))
    } catch {
      note(Malformed(path: "", reason: "\(error)"))
    }
    for index in known..<malformed.count { malformed[index].path = place().appending(path: malformed[index].path) }
  }

  /// The values that all items of a submission share, for the context of each.
  ///
  /// Few values are merged with the item's own. Many stay together under a key, or each item would have a copy of all.
  static func sharedContext(_ values: [String: TrackingValue], as key: String) -> [String: TrackingValue] {
    values.count <= 64 ? values : [key: .object(values)]
  }
}
