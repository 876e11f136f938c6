import TrackingModel

/// Compares a value with the one that was named, down to the leaves.
enum ValueComparison {
  static func look(
    at found: TrackingValue, expecting expected: TrackingValue, _ reading: Reading, into differences: inout Differences
  ) {
    if expected.equals(found, reading) { return }
    guard differences.purpose == .explain else {
      return differences.add { .value(path: $0, expected: expected, found: found) }
    }
    switch (expected, found) {
    case (.object(let expected), .object(let found)):
      for name in Set(expected.keys).union(found.keys).sorted() {
        differences.at(member: name) { look(at: found[name], expecting: expected[name], reading, into: &$0) }
      }
    case (.array(let expected), .array(let found)):
      for index in 0..<max(expected.count, found.count) {
        differences.at(element: index) {
          look(at: found.element(at: index), expecting: expected.element(at: index), reading, into: &$0)
        }
      }
    case (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.double, _), (.string, _), (.array, _), (.object, _):
      differences.add { .value(path: $0, expected: expected, found: found) }
    }
  }

  /// The same where either may be missing.
  static func look(
    at found: TrackingValue?, expecting expected: TrackingValue?, _ reading: Reading,
    into differences: inout Differences
  ) {
    switch (expected, found) {
    case (nil, nil): break
    case (let expected?, let found?): look(at: found, expecting: expected, reading, into: &differences)
    case (let expected?, nil): differences.add { .missing(path: $0, expected: "\(expected)", instead: nil) }
    case (nil, let found?): differences.add { .extra(path: $0, found: found) }
    }
  }
}

extension Array<TrackingValue> {
  /// The element at an index, if there is one; a plain `nil` would be JSON's null.
  func element(at index: Int) -> TrackingValue? {
    indices.contains(index) ? .some(self[index]) : .none
  }
}
