import TrackingModel

/// Collects the differences between an event and a condition.
///
/// The same comparison decides and explains, so a failure can't contradict the check. Deciding stops at the first difference and builds no text;
/// explaining finds them all.
struct Differences {
  enum Purpose {
    case decide
    case explain
  }

  private enum Step {
    case path(String)
    case member(String)
    case element(Int)
  }

  let purpose: Purpose
  private(set) var isEmpty = true
  private(set) var list: [Difference] = []
  private var path: [Step] = []
  private var matchingParams: Set<TrackingParam> = []
  private var differingParams: Set<TrackingParam> = []

  init(_ purpose: Purpose) {
    self.purpose = purpose
  }

  /// Whether further differences would change nothing.
  var isSettled: Bool { purpose == .decide && !isEmpty }

  var equalParams: Int { matchingParams.subtracting(differingParams).count }

  var distance: Double { list.distance }

  /// Adds a difference at the current path; calls the closure only to explain.
  mutating func add(_ difference: (_ path: String) -> Difference) {
    isEmpty = false
    guard purpose == .explain else { return }
    append(difference(pathText))
  }

  /// Compares a param, and counts it as equal if there is no difference.
  mutating func at(param: TrackingParam, look: (inout Differences) -> Void) {
    let before = list.count
    at(.path(param.key), look)
    guard purpose == .explain else { return }
    if list.count == before { matchingParams.insert(param) } else { differingParams.insert(param) }
  }

  mutating func at(member name: String, look: (inout Differences) -> Void) {
    at(.member(name), look)
  }

  mutating func at(element index: Int, look: (inout Differences) -> Void) {
    at(.element(index), look)
  }

  private mutating func at(_ step: Step, _ look: (inout Differences) -> Void) {
    path.append(step)
    look(&self)
    path.removeLast()
  }

  /// Returns the differences that another comparison finds at the current path, without adding them.
  func found(by look: (inout Differences) -> Void) -> Differences {
    var differences = Differences(purpose)
    differences.path = path
    look(&differences)
    return differences
  }

  /// The differences of the nearest item at the current path; `nil` if an item has none.
  func nearest<Items: Sequence>(
    of items: Items, _ look: (Items.Element, inout Differences) -> Void
  ) -> Differences? {
    var nearest: (differences: Differences, distance: Double)?
    for item in items {
      let found = found { look(item, &$0) }
      if found.isEmpty { return nil }
      let distance = found.distance
      if distance < nearest?.distance ?? .infinity { nearest = (found, distance) }
    }
    return nearest?.differences ?? found { $0.add { .missing(path: $0, expected: .nothing, instead: nil) } }
  }

  mutating func add(_ other: Differences) {
    isEmpty = isEmpty && other.isEmpty
    for difference in other.list {
      append(difference)
    }
    matchingParams.formUnion(other.matchingParams)
    differingParams.formUnion(other.differingParams)
  }

  /// Two patterns for one name find the same difference of names.
  private mutating func append(_ difference: Difference) {
    if difference.kind == .name, list.contains(difference) { return }
    list.append(difference)
  }

  private var pathText: String {
    path.reduce(into: "") { text, step in
      switch step {
      case .path(let path): text += path
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let index): text += "[\(index)]"
      }
    }
  }
}

// MARK: - Values

extension Differences {
  /// Compares a value with the expected one, either of which may be missing, down to the leaves; `instead` is what was found for a missing value.
  mutating func compare(
    _ found: TrackingValue?, with expected: TrackingValue?, instead: Difference.Instead? = nil,
    _ leniency: Leniency
  ) {
    switch (expected, found) {
    case (nil, nil): break
    case (let expected?, let found?): compare(found, with: expected, leniency)
    case (let expected?, nil): add { .missing(path: $0, expected: .value(expected), instead: instead) }
    case (nil, let found?): add { .extra(path: $0, found: found) }
    }
  }

  private mutating func compare(_ found: TrackingValue, with expected: TrackingValue, _ leniency: Leniency) {
    if expected.equals(found, leniency) { return }
    guard purpose == .explain else { return add { .value(path: $0, expected: expected, found: found) } }
    switch (expected, found) {
    case (.object(let expected), .object(let found)):
      for name in Set(expected.keys).union(found.keys).sorted() {
        at(member: name) { $0.compare(found[name], with: expected[name], leniency) }
      }
    case (.array(let expected), .array(let found)):
      for index in 0..<max(expected.count, found.count) {
        at(element: index) { $0.compare(found.element(at: index), with: expected.element(at: index), leniency) }
      }
    case (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.double, _), (.string, _), (.array, _), (.object, _):
      add { .value(path: $0, expected: expected, found: found) }
    }
  }
}

extension Array<TrackingValue> {
  /// A plain `nil` would be JSON's null.
  func element(at index: Int) -> TrackingValue? {
    indices.contains(index) ? .some(self[index]) : .none
  }
}
