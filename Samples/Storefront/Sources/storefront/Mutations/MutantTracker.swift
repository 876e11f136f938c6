import TrackingModel

/// One change of the app's tracking, in the words of a report on mutants: `storefront -mutant "change added_to_cart.quantity"`.
///
/// `Scripts/check mutations --timeline` makes each of them in the app, and compares the tests that fail with those whose report says so.
nonisolated struct Mutant {
  enum Change: String, CaseIterable {
    /// The event isn't tracked.
    case missing
    /// The event is tracked twice.
    case doubled
    /// The param has a value next to its own.
    case change
  }

  let change: Change
  let event: String
  /// The names on the way to the param: `order_placed.items[].price` is `items`, `price`.
  let path: [String]

  /// The change that an app's arguments ask for; `nil` when they ask for none that exists.
  init?(arguments: [String]) {
    guard let argument = arguments.firstIndex(of: "-mutant"),
      let words = arguments[argument...].dropFirst().first?.split(separator: " "), words.count == 2,
      let change = Change(rawValue: String(words[0]))
    else { return nil }
    let names = words[1].replacing("[]", with: "").split(separator: ".").map(String.init)
    guard let event = names.first else { return nil }
    (self.change, self.event, path) = (change, event, Array(names.dropFirst()))
  }

  /// The events that are tracked in place of one.
  func events(for event: TrackingEvent) -> [TrackingEvent] {
    guard event.name == self.event else { return [event] }
    switch change {
    case .missing: return []
    case .doubled: return [event, event]
    case .change:
      guard let name = path.first, let value = event.params[.custom(key: name)] else { return [event] }
      var changed = event
      changed.params[.custom(key: name)] = Self.changed(value, at: path.dropFirst())
      return [changed]
    }
  }

  private static func changed(_ value: TrackingValue, at path: ArraySlice<String>) -> TrackingValue {
    switch value {
    case .array(let elements) where !path.isEmpty: return .array(elements.map { changed($0, at: path) })
    case .object(var members):
      guard let name = path.first, let member = members[name] else { return value }
      members[name] = changed(member, at: path.dropFirst())
      return .object(members)
    case .array(let elements): return .array(elements.dropLast())
    case .bool(let flag): return .bool(!flag)
    case .int(let number): return .int(number + 1)
    case .double(let number): return .double(number + 1)
    case .string(let text): return .string(text + "x")
    case .null, .unsigned: return value
    }
  }
}

/// Passes events on to a tracker, with one change.
struct MutantTracker: TrackerProtocol {
  let mutant: Mutant
  let tracker: any TrackerProtocol

  func trackEvent(_ event: TrackingEvent) {
    mutant.events(for: event).forEach(tracker.trackEvent)
  }
}
