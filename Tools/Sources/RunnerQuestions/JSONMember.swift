import Foundation
import TrackingModel
import TrackingPlanKit

/// A value in a question, with its path for errors: `inOrder[1].answered`.
struct JSONMember {
  /// The mistake in a question, with its place.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  let value: TrackingValue
  private let path: String

  init(_ value: TrackingValue, path: String) {
    (self.value, self.path) = (value, path)
  }

  var isObject: Bool { if case .object = value { true } else { false } }

  /// The value as an error shows it: `"yes"`, `an object`.
  var found: String {
    switch value {
    case .object: "an object"
    case .array: "an array"
    default: "\(value)"
    }
  }

  func problem(_ reason: String) -> Problem {
    Problem(description: path.isEmpty ? reason : "\(path): \(reason)")
  }

  private func mismatch(_ expected: String) -> Problem { problem("expected \(expected), found \(found)") }

  private func object() throws(Problem) -> [String: TrackingValue] {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return members
  }

  private func child(_ name: String, _ value: TrackingValue) -> JSONMember {
    JSONMember(value, path: path.isEmpty ? name : "\(path).\(name)")
  }

  /// A member; `nil` if it is missing.
  subscript(name: String) -> JSONMember? {
    get throws(Problem) { try object()[name].map { child(name, $0) } }
  }

  /// A member that must be there.
  func member(_ name: String) throws(Problem) -> JSONMember {
    guard let member = try self[name] else { throw problem("\(name) is missing") }
    return member
  }

  /// The members, by name.
  func members() throws(Problem) -> [(name: String, value: JSONMember)] {
    try object().sorted { $0.key < $1.key }.map { ($0.key, child($0.key, $0.value)) }
  }

  /// Refuses other members.
  func allow(_ names: [String]) throws(Problem) {
    guard let unknown = try object().keys.sorted().first(where: { !names.contains($0) }) else { return }
    throw unknownMember(unknown, names)
  }

  /// The one of some members that is there.
  func oneMember(of names: [String]) throws(Problem) -> (name: String, value: JSONMember) {
    let found = try members().filter { names.contains($0.name) }
    guard found.count < 2 else {
      throw problem("\(found[0].name) and \(found[1].name) are both there: ask one question")
    }
    if let one = found.first { return one }
    guard let other = try object().keys.sorted().first else {
      throw problem("expected one of \(names.joined(separator: ", "))")
    }
    throw unknownMember(other, names)
  }

  private func unknownMember(_ name: String, _ names: [String]) -> Problem {
    let hint = CommandLineTool.hint(for: name, among: names) ?? "there are \(names.joined(separator: ", "))"
    return problem("\"\(name)\" is unknown here; \(hint)")
  }

  func elements() throws(Problem) -> [JSONMember] {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return elements.enumerated().map { JSONMember($1, path: "\(path)[\($0)]") }
  }

  func string() throws(Problem) -> String {
    guard case .string(let text) = value else { throw mismatch("a string") }
    return text
  }

  func integer(_ meaning: String = "a number") throws(Problem) -> Int {
    guard case .int(let number) = value.canonical, number >= 0 else { throw mismatch(meaning) }
    return number
  }

  /// A number of seconds, up to a day.
  func seconds() throws(Problem) -> TimeInterval {
    let seconds: TimeInterval? =
      switch value {
      case .int(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    guard let seconds, (0...86_400).contains(seconds) else { throw mismatch("seconds, at most 86400") }
    return seconds
  }

  func isTrue() throws(Problem) {
    guard value == .bool(true) else { throw mismatch("true") }
  }
}
