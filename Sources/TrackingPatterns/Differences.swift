import TrackingModel

/// Collects what a look at an event finds different.
///
/// The look that decides is the one that explains: deciding stops at the first difference and writes no text, explaining goes through to the end.
struct Differences {
  /// How closely to look.
  enum Purpose {
    case decide
    case explain
  }

  /// A step from a value to a part of it.
  private enum Step {
    case path(String)
    case member(String)
    case element(Int)
  }

  let purpose: Purpose
  private(set) var isEmpty = true
  private(set) var list: [EventDifference] = []
  private var path: [Step] = []
  private var matchingParams: Set<String> = []
  private var differingParams: Set<String> = []

  init(_ purpose: Purpose) {
    self.purpose = purpose
  }

  /// Whether looking on would change nothing.
  var isSettled: Bool { purpose == .decide && !isEmpty }

  /// How many params are as they should be.
  var equalParams: Int { matchingParams.subtracting(differingParams).count }

  /// How much all of it weighs.
  var distance: Double { MismatchWeight.of(list) }

  /// Adds a difference at the place that is looked at; it is made only when it is wanted.
  mutating func add(_ difference: (_ path: String) -> EventDifference) {
    isEmpty = false
    guard purpose == .explain else { return }
    append(difference(pathText))
  }

  /// Looks at a param, and counts it as equal if nothing is different there.
  mutating func at(param: TrackingParam, look: (inout Differences) -> Void) {
    let before = list.count
    at(.path(param.key), look)
    guard purpose == .explain else { return }
    if list.count == before { matchingParams.insert(param.key) } else { differingParams.insert(param.key) }
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

  /// What another look from the same place finds, without adding it.
  func found(by look: (inout Differences) -> Void) -> Differences {
    var differences = Differences(purpose)
    differences.path = path
    look(&differences)
    return differences
  }

  /// What the nearest of several looks from the same place finds; `nil` when one of them finds nothing different.
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
    return nearest?.differences ?? found { $0.add { .missing(path: $0, expected: "", instead: nil) } }
  }

  /// Adds what another look found.
  mutating func add(_ other: Differences) {
    isEmpty = isEmpty && other.isEmpty
    for difference in other.list {
      append(difference)
    }
    matchingParams.formUnion(other.matchingParams)
    differingParams.formUnion(other.differingParams)
  }

  /// Of two patterns that ask for one name, both say that the event has another.
  private mutating func append(_ difference: EventDifference) {
    if case .name = difference, list.contains(difference) { return }
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
