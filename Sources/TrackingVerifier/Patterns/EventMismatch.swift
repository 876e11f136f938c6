import TrackingModel

/// Why an event is not the one that was asked for, difference by difference.
struct EventMismatch: Hashable {
  /// One thing that differs.
  enum Difference: Hashable {
    case name(expected: String, found: String)
    /// A value at a path such as `items[0].price` is another.
    case value(path: String, expected: TrackingValue, found: TrackingValue)
    case missing(path: String, expected: TrackingValue)
    case extra(path: String, found: TrackingValue)
    /// A condition, known by its description, does not hold.
    case condition(String)
    /// The params do not make up the typed event, for a reason in words.
    case schema(String)
  }

  let differences: [Difference]
  /// How many params are as they should be.
  let equalParams: Int

  init(_ differences: [Difference], equalParams: Int = 0) {
    self.differences = differences
    self.equalParams = equalParams
  }

  /// The differences between an event and the one that was expected.
  init(of event: TrackingEvent, from expected: TrackingEvent) {
    var differences: [Difference] = []
    if event.name != expected.name {
      differences.append(.name(expected: expected.name, found: event.name))
    }
    var equalParams = 0
    for param in Set(expected.params.keys).union(event.params.keys).sorted() {
      let before = differences.count
      Self.compare(expected.params[param], event.params[param], path: param.key, into: &differences)
      if differences.count == before { equalParams += 1 }
    }
    self.init(differences, equalParams: equalParams)
  }

  /// How far off the event is: the nearest miss is the one with the least distance.
  var distance: Double {
    differences.reduce(0) { $0 + MismatchWeight.of($1) }
  }

  private static func compare(
    _ expected: TrackingValue?, _ found: TrackingValue?, path: String, into differences: inout [Difference]
  ) {
    switch (expected, found) {
    case (nil, nil): break
    case (nil, let found?): differences.append(.extra(path: path, found: found))
    case (let expected?, nil): differences.append(.missing(path: path, expected: expected))
    case (.object(let expected)?, .object(let found)?):
      for name in Set(expected.keys).union(found.keys).sorted() {
        compare(expected[name], found[name], path: "\(path).\(name)", into: &differences)
      }
    case (.array(let expected)?, .array(let found)?):
      for index in 0..<max(expected.count, found.count) {
        compare(
          index < expected.count ? expected[index] : nil, index < found.count ? found[index] : nil,
          path: "\(path)[\(index)]", into: &differences)
      }
    case (let expected?, let found?):
      if expected != found { differences.append(.value(path: path, expected: expected, found: found)) }
    }
  }
}
