import TrackingModel

/// The place of a value in the params of an event, or in the body of a request.
struct ValuePath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case member(String)
    case element(Int)
  }

  var steps: [Step] = []

  func appending(_ step: Step) -> ValuePath { ValuePath(steps: steps + [step]) }

  /// The path as a plan writes it, without the indices of elements: `items[].price`.
  var general: String { text { _ in "[]" } }

  /// The path as a pattern writes it: `items[0].price`.
  var exact: String { text { "[\($0)]" } }

  private func text(_ element: (Int) -> String) -> String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let index): text += element(index)
      }
    }
  }
}

extension ValuePath {
  /// A value in a tree of values, and its changes.
  struct Site {
    let path: ValuePath
    let value: TrackingValue
  }

  /// The deepest values that are changed.
  private static let deepest = 8

  /// All values in an object, in the order of their names, or in an array.
  static func sites(in whole: TrackingValue) -> [Site] {
    var sites: [Site] = []
    add(whole, at: ValuePath(), to: &sites)
    return sites
  }

  private static func add(_ value: TrackingValue, at path: ValuePath, to sites: inout [Site]) {
    if !path.steps.isEmpty { sites.append(Site(path: path, value: value)) }
    guard path.steps.count < deepest else { return }
    switch value {
    case .array(let elements):
      for (index, element) in elements.enumerated() { add(element, at: path.appending(.element(index)), to: &sites) }
    case .object(let members):
      for (name, member) in members.sorted(by: { $0.key.precedes($1.key) }) {
        add(member, at: path.appending(.member(name)), to: &sites)
      }
    case .null, .bool, .int, .unsigned, .double, .string: break
    }
  }

  /// A value with another one, or none, at this path.
  func changing(_ value: TrackingValue, by change: ValueChange) -> TrackingValue? {
    Self.changing(value, at: steps[...], by: change)
  }

  private static func changing(_ value: TrackingValue, at steps: ArraySlice<Step>, by change: ValueChange)
    -> TrackingValue?
  {
    guard let step = steps.first else { return change.applied(to: value) }
    switch (step, value) {
    case (.member(let name), .object(var members)):
      guard let member = members[name] else { return value }
      members[name] = changing(member, at: steps.dropFirst(), by: change)
      return .object(members)
    case (.element(let index), .array(var elements)):
      guard elements.indices.contains(index) else { return value }
      guard let element = changing(elements[index], at: steps.dropFirst(), by: change) else {
        elements.remove(at: index)
        return .array(elements)
      }
      elements[index] = element
      return .array(elements)
    default: return value
    }
  }
}

extension TrackingEvent {
  /// The event with another value, or none, at a path into its params.
  func changing(_ path: ValuePath, by change: ValueChange) -> TrackingEvent {
    guard case .member(let name)? = path.steps.first, let value = params[.custom(key: name)] else { return self }
    var event = self
    event.params[.custom(key: name)] = ValuePath(steps: Array(path.steps.dropFirst())).changing(value, by: change)
    return event
  }
}
