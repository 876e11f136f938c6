import TrackingModel

/// The place of a value in an event: a param, or a part of one such as `items[0].price`.
///
/// Names may contain dots and brackets, so each step takes the longest existing name: in an event with a param `page.name`, that path is the param
/// and not a member of `page`.
struct ParamPath: Hashable, Sendable {
  struct Trace {
    var value: TrackingValue?
    var param: TrackingParam?
    /// The last value on the way, if the path ends early.
    var deepest: (path: String, value: TrackingValue)?
  }

  let param: TrackingParam
  /// The params that the path may lead into, longest name first, each with the rest of the path.
  private let splits: [Split]
  /// Whether the path is a member's name, including its dots and brackets.
  private let isName: Bool

  private struct Split: Hashable, Sendable {
    let param: TrackingParam
    let rest: Substring
  }

  init(_ param: TrackingParam) {
    self.param = param
    isName = false
    splits = Self.ends(ofNamesIn: param.key[...]).map { end in
      Split(param: TrackingParam(stringLiteral: String(param.key[..<end])), rest: param.key[end...])
    }
  }

  init(member name: String) {
    (param, splits, isName) = (TrackingParam(stringLiteral: name), [], true)
  }

  func trace(in params: [TrackingParam: TrackingValue]) -> Trace {
    if let value = params[param] { return Trace(value: value, param: param) }
    var trace = Trace()
    for split in splits {
      guard let head = params[split.param] else { continue }
      if trace.param == nil { trace.param = split.param }
      if let value = follow(split.rest, from: head, &trace) {
        return Trace(value: value, param: split.param)
      }
    }
    return trace
  }

  func value(inMembers members: [String: TrackingValue]) -> TrackingValue? {
    if isName { return members[param.key] }
    var trace = Trace()
    return follow(memberAt: param.key[...], of: members, &trace)
  }

  private func follow(_ rest: Substring, from value: TrackingValue, _ trace: inout Trace) -> TrackingValue? {
    if rest.isEmpty { return value }
    let reached = String(param.key[..<rest.startIndex])
    if reached.utf8.count >= trace.deepest?.path.utf8.count ?? 0 {
      trace.deepest = (reached, value)
    }
    switch value {
    case .array(let values):
      guard rest.utf8.first == UInt8(ascii: "["), let end = rest.utf8.firstIndex(of: UInt8(ascii: "]")),
        let index = Int(rest[..<end].dropFirst()), values.indices.contains(index)
      else { return nil }
      return follow(rest[rest.utf8.index(after: end)...], from: values[index], &trace)
    case .object(let members):
      guard rest.utf8.first == UInt8(ascii: ".") else { return nil }
      return follow(memberAt: rest[rest.utf8.index(after: rest.startIndex)...], of: members, &trace)
    case .null, .bool, .int, .unsigned, .double, .string:
      return nil
    }
  }

  /// Follows a path that starts with a member's name, which may be empty.
  private func follow(
    memberAt rest: Substring, of members: [String: TrackingValue], _ trace: inout Trace
  ) -> TrackingValue? {
    for end in [rest.endIndex] + Self.ends(ofNamesIn: rest) {
      if let member = members[String(rest[..<end])], let value = follow(rest[end...], from: member, &trace) {
        return value
      }
    }
    return nil
  }

  /// The indices at which a name may end and the rest of the path begin, last first.
  private static func ends(ofNamesIn text: Substring) -> [Substring.Index] {
    // By bytes, because a dot with a combining character is another character.
    text.utf8.indices.filter { [UInt8(ascii: "."), UInt8(ascii: "[")].contains(text.utf8[$0]) }.reversed()
  }
}
