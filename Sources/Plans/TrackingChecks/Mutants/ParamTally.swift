import TrackingModel
import TrackingPlan

/// The noticed and unnoticed changes of a param, in all events of one name.
struct ParamTally {
  private typealias Pin = MutationReport.Pin

  private struct Place: Hashable {
    let entry: Int
    let site: ValueSite
  }

  /// The changes of the value in one event, each with the reason for which it is noticed or isn't: `.question`, `.plan`, `.untried` or `.no`.
  private struct Occurrence {
    let site: ValueSite
    var changes: [(change: ValueChange, pin: Pin)] = []

    /// The reason for which all nearest changes are noticed.
    ///
    /// An object has no nearest values but those of its members, so the other changes decide.
    var pin: Pin {
      let nearest = changes.filter(\.change.isNearest)
      let deciding = (nearest.isEmpty ? changes : nearest).map(\.pin)
      return [.no, .untried, .plan].first(where: deciding.contains) ?? (deciding.isEmpty ? .untried : .question)
    }

    /// The first of the nearest changes that nothing notices.
    var passing: ValueChange? { changes.first { $0.change.isNearest && $0.pin == .no }?.change }

    func first(_ pin: Pin) -> ValueChange? { changes.first { $0.pin == pin }?.change }
  }

  private var occurrences: [Place: Occurrence] = [:]

  /// Counts a mutant.
  mutating func add(_ change: ValueChange, of site: ValueSite, in entry: Int, _ pin: MutationReport.Pin) {
    occurrences[Place(entry: entry, site: site), default: Occurrence(site: site)].changes.append((change, pin))
  }

  /// The finding, with an example unless a question pins the param.
  ///
  /// - Parameters:
  ///   - use: The use that the test may make of the value: `.returned`, `.discarded` or `.no`.
  ///   - suggestion: The Swift that asks for a value.
  func param(
    returned use: MutationReport.Pin, _ suggestion: (ValueSite) -> String?
  ) -> MutationReport.Param {
    let pins = occurrences.values.map(\.pin)
    let all = occurrences.values.flatMap(\.changes)
    var param = MutationReport.Param(.no)
    if let pin = [.question, .plan].first(where: pins.contains) {
      param.pinned = pin
      if pin == .question { return param }
    } else if use != .returned, pins.allSatisfy({ $0 == .untried }) {
      param.pinned = .untried
    } else {
      param.pinned = use
    }
    param.partly = [.question, .plan].first { pin in pin != param.pinned && all.contains { $0.pin == pin } }
    let example = example(of: \.passing)
    param.suggestion = example.flatMap { suggestion($0.site) }
    if param.pinned != .plan {
      param.passing = example?.words
      if param.passing != nil { param.noticed = example?.noticedValue }
      param.planned = Set(all.filter { $0.pin == .plan }.map(\.change))
    }
    if param.pinned == .untried { param.untried = self.example(of: { $0.first(.untried) })?.words }
    return param
  }

  /// The example whose text sorts first, because entries may arrive in any order: a value with such a change, else any value.
  private func example(of change: (Occurrence) -> ValueChange?) -> Example? {
    let shown = occurrences.values.filter { change($0) != nil }
    return (shown.isEmpty ? Array(occurrences.values) : shown)
      .map { Example(site: $0.site, change: change($0), noticed: $0.first(.question)) }
      .min { $0.order < $1.order }
  }

  /// A value with a change of it.
  private struct Example {
    let site: ValueSite
    let change: ValueChange?
    /// A change of the same value that a question notices.
    let noticed: ValueChange?

    var order: (String, String, String, String) {
      (
        SwiftText.volatileForm(of: site.value) ?? "\(site.value)", site.path.description, "\(change as Any)",
        "\(noticed as Any)"
      )
    }

    /// A changed value that a question notices; `nil` if there is none, or if each run has another one.
    var noticedValue: String? {
      guard SwiftText.volatileForm(of: site.value) == nil, let changed = noticed?.applied(to: site.value) else {
        return nil
      }
      return Excerpt.of("\(changed)", width: 60)
    }

    /// The change in words: `121 for 120`; `nil` if there is none.
    var words: String? {
      guard let changed = change?.applied(to: site.value) else { return nil }
      // Without the value where each run has another one, so that two runs give the same report.
      return SwiftText.volatileForm(of: site.value).map { "another \($0)" }
        ?? "\(Excerpt.of("\(changed)", width: 60)) for \(Excerpt.of("\(site.value)", width: 60))"
    }
  }
}
