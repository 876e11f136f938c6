import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingPlan
import TrackingVerifier

/// The noticed and unnoticed changes of a param, in all events of one name.
struct ParamTally {
  /// The reason for which a change is noticed, or isn't.
  enum Notice {
    case question, plan, untried, none
  }

  /// The changes of the value in one event.
  private struct Occurrence {
    var changes: [(change: ValueChange, notice: Notice)] = []

    /// The reason for which all nearest changes are noticed.
    ///
    /// An object has no nearest values but those of its members, so the other changes decide.
    var pin: Notice {
      let nearest = changes.filter(\.change.isNearest)
      let deciding = (nearest.isEmpty ? changes : nearest).map(\.notice)
      return [.none, .untried, .plan].first(where: deciding.contains) ?? (deciding.isEmpty ? .untried : .question)
    }

    /// The first of the nearest changes that nothing notices.
    var passing: ValueChange? { changes.first { $0.change.isNearest && $0.notice == .none }?.change }

    func first(_ notice: Notice) -> ValueChange? { changes.first { $0.notice == notice }?.change }
  }

  private struct Place: Hashable {
    let entry: Int
    let path: ValuePath
  }

  private var occurrences: [Place: Occurrence] = [:]

  /// Counts a mutant.
  mutating func add(_ notice: Notice, of change: ValueChange, at entry: Int, _ path: ValuePath) {
    occurrences[Place(entry: entry, path: path), default: Occurrence()].changes.append((change, notice))
  }

  /// A value that can be changed without being noticed, with that change; else any value.
  struct Example {
    let value: TrackingValue
    let path: ValuePath
    fileprivate let change: ValueChange?
    /// A change of the same value that a question notices.
    fileprivate let noticed: ValueChange?

    fileprivate var order: (String, String, String) {
      (SwiftText.volatileForm(of: value) ?? "\(value)", path.exact, "\(change as Any)")
    }

    /// A changed value that a question notices; `nil` if there is none, or if each run has another one.
    fileprivate var noticedValue: String? {
      guard SwiftText.volatileForm(of: value) == nil, let changed = noticed?.applied(to: value) else { return nil }
      return Excerpt.of("\(changed)", width: 60)
    }

    /// The change in words: `121 for 120`; `nil` if there is none.
    fileprivate var words: String? {
      guard let changed = change?.applied(to: value) else { return nil }
      // Without the value where each run has another one, so that two runs give the same report.
      return SwiftText.volatileForm(of: value).map { "another \($0)" }
        ?? "\(Excerpt.of("\(changed)", width: 60)) for \(Excerpt.of("\(value)", width: 60))"
    }
  }

  /// The example whose text sorts first, because entries may arrive in any order.
  ///
  /// - Parameters:
  ///   - whole: The params of an event, in which the path leads to the value.
  ///   - change: The change that it shows.
  private func example(in whole: (Int) -> TrackingValue, of change: (Occurrence) -> ValueChange?) -> Example? {
    let shown = occurrences.filter { change($1) != nil }
    return (shown.isEmpty ? occurrences : shown).compactMap { place, occurrence in
      place.path.value(in: whole(place.entry)).map {
        Example(value: $0, path: place.path, change: change(occurrence), noticed: occurrence.first(.question))
      }
    }.min { $0.order < $1.order }
  }

  /// The finding, with an example unless a question pins the param.
  ///
  /// - Parameter whole: The params of an event.
  func param(
    returned: KeptQuestion.Returned, in whole: (Int) -> TrackingValue
  ) -> (finding: MutationReport.Param, example: Example?) {
    let pins = occurrences.values.map(\.pin)
    let notices = occurrences.values.flatMap { $0.changes.map(\.notice) }
    var param = MutationReport.Param(.no)
    if pins.contains(.question) {
      param.pinned = .question
      return (param, nil)
    }
    if pins.contains(.plan) {
      param.pinned = .plan
    } else if returned == .required {
      param.pinned = .returned
    } else if pins.allSatisfy({ $0 == .untried }) {
      param.pinned = .untried
    } else if returned == .discardable {
      param.pinned = .discarded
    }
    if notices.contains(.question) {
      param.partly = .question
    } else if notices.contains(.plan), param.pinned != .plan {
      param.partly = .plan
    }
    let example = example(in: whole, of: \.passing)
    if param.pinned != .plan {
      param.passing = example?.words
      if param.passing != nil { param.noticed = example?.noticedValue }
      param.planned = Set(occurrences.values.flatMap { $0.changes.filter { $0.notice == .plan }.map(\.change) })
    }
    if param.pinned == .untried { param.untried = self.example(in: whole, of: { $0.first(.untried) })?.words }
    return (param, example)
  }
}

extension ValuePath {
  /// The value at this path.
  func value(in value: TrackingValue) -> TrackingValue? {
    steps.reduce(value) { value, step in
      switch (step, value) {
      case (.member(let name), .object(let members)?): members[name]
      case (.element(let index), .array(let elements)?): elements.indices.contains(index) ? elements[index] : nil
      default: nil
      }
    }
  }
}
