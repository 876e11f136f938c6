import TrackingJSON

extension JSONNode {
  var isObject: Bool { tree.members != nil }

  /// The error for an unknown member, with the nearest or all known ones.
  func unknownMember(_ name: String, _ names: [String]) -> JSONError {
    error("\"\(name)\" is unknown here; \(UsageError.hint(for: name, among: names, prefix: "there are"))")
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
}
