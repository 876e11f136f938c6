import TrackingModel

/// Where a value stands in an event: a param, or a part of one such as `items[0].price`.
///
/// Names may hold dots and brackets themselves. So at each step the longest name that is there is taken: of an event with a param
/// `page.name`, that path is the param and not a member of `page`.
struct ParamPath: Hashable, Sendable {
  /// Where a path led.
  struct Trace {
    /// What stands at the end of it.
    var value: TrackingValue?
    /// The param that it led into.
    var param: TrackingParam?
    /// How far it led, when it did not lead to the end.
    var deepest: (path: String, value: TrackingValue)?
  }

  /// The path as one name.
  let param: TrackingParam
  /// The params that it may lead into, the longest name first, each with the rest of the path.
  private let splits: [Split]

  private struct Split: Hashable, Sendable {
    let param: TrackingParam
    let rest: Substring
  }

  init(_ param: TrackingParam) {
    self.param = param
    splits = Self.borders(of: param.key[...]).map { border in
      Split(param: TrackingParam(stringLiteral: String(param.key[..<border])), rest: param.key[border...])
    }
  }

  /// Follows the path through an event's params.
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

  /// Follows the path through an object's members.
  func value(inMembers members: [String: TrackingValue]) -> TrackingValue? {
    var trace = Trace()
    return follow(param.key[...], from: .object(members), &trace)
  }

  private func follow(_ rest: Substring, from value: TrackingValue, _ trace: inout Trace) -> TrackingValue? {
    if rest.isEmpty { return value }
    let reached = String(param.key[..<rest.startIndex])
    if reached.count >= trace.deepest?.path.count ?? 0 {
      trace.deepest = (reached, value)
    }
    switch value {
    case .array(let values):
      guard rest.first == "[", let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end].dropFirst()),
        values.indices.contains(index)
      else { return nil }
      return follow(rest[rest.index(after: end)...], from: values[index], &trace)
    case .object(let members):
      let names = rest.first == "." ? rest.dropFirst() : rest
      for border in [names.endIndex] + Self.borders(of: names) {
        if let member = members[String(names[..<border])], let value = follow(names[border...], from: member, &trace) {
          return value
        }
      }
      return nil
    case .null, .bool, .int, .unsigned, .double, .string:
      return nil
    }
  }

  /// Where a name may end and the rest of a path begin, from the back.
  private static func borders(of text: Substring) -> [Substring.Index] {
    text.indices.dropFirst().filter { text[$0] == "." || text[$0] == "[" }.reversed()
  }
}
