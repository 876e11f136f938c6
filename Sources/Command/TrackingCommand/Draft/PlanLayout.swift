import TrackingJSON

extension JSONLayout {
  /// The layout of plans: one line for each event and param, so that a review shows what changed.
  static let plan = JSONLayout.fitting(width: 110) { isPlanLevel($0) }

  private static func isPlanLevel(_ value: JSONTree) -> Bool {
    guard let members = value.members else { return false }
    let holdsNames = members.contains { member in
      guard let inner = member.value.members else { return false }
      return ["params", "events", "types", "common"].contains(member.key) && !inner.isEmpty || isPlanLevel(member.value)
    }
    return holdsNames || members.count > 1 && members.allSatisfy { $0.value.members != nil }
  }
}
