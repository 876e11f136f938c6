import TrackingModel
import TrackingPlan

struct MutatedValue {
  let site: ValueSite
  /// The changes, each with the reason that it is noticed or isn't: `.check`, `.plan`, `.untried` or `.no`.
  var changes: [(change: ValueChange, pin: MutationReport.Pin)] = []

  /// The reason that all nearest changes are noticed.
  ///
  /// An object has no nearest values except those of its members, so the other changes decide.
  fileprivate var pin: MutationReport.Pin {
    let nearest = changes.filter(\.change.isNearest)
    let deciding = (nearest.isEmpty ? changes : nearest).map(\.pin)
    return [.no, .untried, .plan].first(where: deciding.contains) ?? (deciding.isEmpty ? .untried : .check)
  }

  /// The first of the nearest changes that nothing notices.
  fileprivate var passing: ValueChange? { changes.first { $0.change.isNearest && $0.pin == .no }?.change }

  fileprivate func first(_ pin: MutationReport.Pin) -> ValueChange? { changes.first { $0.pin == pin }?.change }

  /// A sort key that is the same in each run.
  fileprivate func order(of change: ValueChange?) -> (String, String, String, String) {
    (
      SwiftText.volatileKind(of: site.value) ?? "\(site.value)", site.path.description, "\(change as Any)",
      "\(first(.check) as Any)"
    )
  }

  /// Describes a change: `121 for 120`.
  fileprivate func words(of change: ValueChange) -> String? {
    guard let changed = text(after: change) else { return nil }
    // Without a value that differs in each run, so that two runs give the same report.
    return SwiftText.volatileKind(of: site.value).map { "another \($0)" }
      ?? "\(changed) for \(Excerpt.of("\(site.value)", width: 60))"
  }

  fileprivate func text(after change: ValueChange) -> String? {
    change.applied(to: site.value).map { Excerpt.of("\($0)", width: 60) }
  }
}

extension MutationReport.Param {
  /// The finding about all values of a param, with an example unless a check pins it.
  ///
  /// - Parameters:
  ///   - use: The test's possible use of the value: `.returned`, `.discarded` or `.no`.
  ///   - suggestion: Returns Swift code that checks a value.
  init(_ values: [MutatedValue], returned use: MutationReport.Pin, _ suggestion: (ValueSite) -> String?) {
    let pins = values.map(\.pin)
    let changes = values.flatMap(\.changes)
    if let pin = [.check, .plan].first(where: pins.contains) {
      self.init(pin)
    } else {
      self.init(use != .returned && pins.allSatisfy { $0 == .untried } ? .untried : use)
    }
    guard pinned != .check, let example = Self.example(of: values, \.passing) else { return }
    partly = [.check, .plan].first { pin in pin != pinned && changes.contains { $0.pin == pin } }
    self.suggestion = suggestion(example.site)
    if pinned == .untried {
      untried = Self.example(of: values) { $0.first(.untried) }.flatMap { value in
        value.first(.untried).flatMap(value.words)
      }
    }
    guard pinned != .plan else { return }
    planned = Set(changes.filter { $0.pin == .plan }.map(\.change))
    passing = example.passing.flatMap(example.words)
    if passing != nil, SwiftText.volatileKind(of: example.site.value) == nil {
      noticed = example.first(.check).flatMap(example.text)
    }
  }

  /// The value whose text sorts first, because entries may arrive in any order; if possible, one with such a change.
  private static func example(
    of values: [MutatedValue], _ change: (MutatedValue) -> ValueChange?
  ) -> MutatedValue? {
    let shown = values.filter { change($0) != nil }
    return (shown.isEmpty ? values : shown).min { $0.order(of: change($0)) < $1.order(of: change($1)) }
  }
}
