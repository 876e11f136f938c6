import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingVerifier

/// The noticed and unnoticed changes of a param, in all events of one name.
struct ParamTally {
  /// The reason for which a change is noticed, or isn't.
  enum Notice {
    case question, plan, untried, none
  }

  /// The changes of the value in one event.
  private struct Occurrence {
    var nearest: [Notice] = []
    var others: [Notice] = []

    /// The reason for which all nearest changes that were tried are noticed.
    ///
    /// An object has no nearest values but those of its members, so the other changes decide.
    var pin: Notice {
      let tried = (nearest.isEmpty ? others : nearest).filter { $0 != .untried }
      guard !tried.isEmpty else { return .untried }
      if tried.contains(.none) { return .none }
      return tried.contains(.plan) ? .plan : .question
    }
  }

  private struct Place: Hashable {
    let entry: Int
    let path: ValuePath
  }

  private var occurrences: [Place: Occurrence] = [:]
  /// A value that can be changed without being noticed; else any value.
  private(set) var example: (value: TrackingValue, path: ValuePath)?
  private var passing: String?

  /// Counts a mutant.
  ///
  /// - Parameter whole: The params of the event, in which the path leads to the value.
  mutating func add(
    _ notice: Notice, of change: ValueChange, at entry: Int, _ path: ValuePath,
    in whole: @autoclosure () -> TrackingValue
  ) {
    let place = Place(entry: entry, path: path)
    if change.isNearest {
      occurrences[place, default: Occurrence()].nearest.append(notice)
    } else {
      occurrences[place, default: Occurrence()].others.append(notice)
    }
    guard example == nil || passing == nil && notice == .none && change.isNearest else { return }
    guard let value = path.value(in: whole()) else { return }
    example = (value, path)
    if notice == .none, change.isNearest, let changed = change.applied(to: value) {
      // Without the value where each run has another one, so that two runs give the same report.
      passing =
        SwiftText.volatileForm(of: value).map { "another \($0)" }
        ?? "\(Excerpt.of("\(changed)", width: 60)) for \(Excerpt.of("\(value)", width: 60))"
    }
  }

  /// The finding.
  func param(returned: AskedQuestion.Returned) -> MutationReport.Param {
    let pins = occurrences.values.map(\.pin)
    let notices = occurrences.values.flatMap { $0.nearest + $0.others }
    var param = MutationReport.Param(.no)
    if pins.contains(.question) {
      param.pinned = .question
      return param
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
    if param.pinned != .plan { param.passing = passing }
    return param
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
