import Foundation
import TrackingJSON
import TrackingModel

// Shared by a runner's checks, scenarios and formats.

extension JSONNode {
  var isObject: Bool { tree.members != nil }

  /// Refuses other members, and `null`, which would otherwise count as a missing member.
  ///
  /// - Parameter nullable: A member that may be `null`.
  func allow(_ names: [String], nullable: String? = nil) throws(JSONError) {
    for member in try members() {
      guard names.contains(member.name) else { throw unknownMember(member.name, names) }
      guard member.node.tree.scalar != .null || member.name == nullable else {
        throw member.node.error("leave the member out instead of null")
      }
    }
  }

  /// Returns the only one of these members that is present.
  func oneMember(of names: [String]) throws(JSONError) -> (name: String, node: JSONNode) {
    let members = try members()
    let found = members.filter { names.contains($0.name) }
    guard found.count < 2 else {
      throw error("\(found[0].name) and \(found[1].name) are both there: send one check")
    }
    if let one = found.first { return one }
    guard let other = members.first else { throw error("expected one of \(names.joined(separator: ", "))") }
    throw unknownMember(other.name, names)
  }

  func unknownMember(_ name: String, _ names: [String]) -> JSONError {
    let hint = UsageError.hint(for: name, among: names, prefix: "there are")
    return error("\"\(name)\" is unknown here; \(hint)")
  }

  /// An error with the value: `expected a status, found "yes"`.
  func mismatch(_ expected: String) -> JSONError {
    let found =
      switch tree.content {
      case .object: "an object"
      case .array: "an array"
      case .scalar, .spelled: tree.text(.compact)
      }
    return error("expected \(expected), found \(found)")
  }

  func count(_ meaning: String = "a number") throws(JSONError) -> Int {
    guard let number = try? integer(), number >= 0 else { throw mismatch(meaning) }
    return number
  }

  /// A number of seconds above 0, up to a day.
  func secondsAboveZero() throws(JSONError) -> TimeInterval {
    let seconds = try seconds()
    guard seconds > 0 else { throw mismatch("seconds above 0") }
    return seconds
  }

  /// A number of seconds, up to a day.
  func seconds() throws(JSONError) -> TimeInterval {
    guard let seconds = try? number(), (0...86_400).contains(seconds) else {
      throw mismatch("seconds, at most 86400")
    }
    return seconds
  }

  func isTrue() throws(JSONError) {
    guard tree.bool == true else { throw mismatch("true") }
  }
}
