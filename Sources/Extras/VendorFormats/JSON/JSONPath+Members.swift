import TrackingJSON
import TrackingModel
import TrackingServer

// The places of values in a body: `batch[]`, `payload.properties`, `[]`; empty for the body itself.
extension JSONPath {
  /// The value at the path; for an array, its first element.
  func value(in members: [String: TrackingValue]) -> TrackingValue? {
    steps.isEmpty ? nil : TrackingValue.object(members).value(at: self)
  }

  func take(from members: inout [String: TrackingValue]) -> TrackingValue? {
    if steps.count == 1, case .member(let name)? = steps.first { return members.removeValue(forKey: name) }
    return Self.take(steps[...], from: &members)
  }

  /// Throws if a value on the path isn't an object.
  func checkObjects(in members: [String: TrackingValue]) throws(DecodedSubmission.Malformed) {
    var (members, path) = (members, "")
    for (step, next) in zip(steps, steps.dropFirst()) {
      guard case .member(let name) = step, case .member = next else { return }
      path = path.appending(path: name)
      members = try members[name].members(at: path)
    }
  }

  private static func take(_ steps: ArraySlice<Step>, from members: inout [String: TrackingValue]) -> TrackingValue? {
    guard case .member(let name)? = steps.first, let value = members[name] else { return nil }
    let rest = steps.dropFirst()
    switch (rest.first, value) {
    case (nil, _):
      members[name] = nil
      return value
    case (.member, .object(var inner)):
      members[name] = nil
      let taken = take(rest, from: &inner)
      if !inner.isEmpty { members[name] = .object(inner) }
      return taken
    case (.each, .array(let values)):
      guard rest.count > 1, case .object(var inner)? = values.first else { return rest.count > 1 ? nil : values.first }
      return take(rest.dropFirst(), from: &inner)
    default:
      return nil
    }
  }
}
