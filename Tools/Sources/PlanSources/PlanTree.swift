import Foundation

/// A value in a plan file, in YAML or JSON5.
///
/// Members keep the order of the file where its reader tells it: YAML's does, JSON5's does not.
indirect enum PlanTree: Equatable, Sendable {
  case null
  case bool(Bool)
  /// The digits as JSON writes them.
  case number(String)
  case string(String)
  case array([PlanTree])
  case object([Member])

  struct Member: Equatable, Sendable {
    var key: String
    var value: PlanTree

    init(_ key: String, _ value: PlanTree) {
      self.key = key
      self.value = value
    }
  }

  var members: [Member]? { if case .object(let members) = self { members } else { nil } }
  var elements: [PlanTree]? { if case .array(let elements) = self { elements } else { nil } }
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The value of a member; `nil` if there is none, and if this isn't an object.
  subscript(key: String) -> PlanTree? { members?.first { $0.key == key }?.value }

  /// An object of the members that have a value.
  static func object(_ members: KeyValuePairs<String, PlanTree?>) -> PlanTree {
    .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }

  /// This as JSON in one line.
  var json: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let digits): digits
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.key)):\($0.value.json)" }.joined(separator: ","))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    // A text can always be encoded.
    (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}

/// Why a file can't be converted: the file, the line if it is known, and the reason.
package struct PlanSourceError: Error, Equatable, CustomStringConvertible, LocalizedError {
  package let file: String
  package let line: Int?
  package let reason: String

  init(_ file: String, line: Int? = nil, _ reason: String) {
    self.file = file
    self.line = line
    self.reason = reason
  }

  package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(reason)" }
  package var errorDescription: String? { description }
}
