import TrackingModel
import TrackingPatterns

// A pattern that needs two methods, or two literal paths, can't match any request.

/// The requirements of one alternative of a condition on requests.
private struct RequestDemands: Demands {
  var methods: [ReceivedRequest.Method] = []
  /// Literal paths only.
  var paths: [PathMatcher] = []

  func adding(_ other: RequestDemands) -> RequestDemands {
    RequestDemands(methods: methods + other.methods, paths: paths + other.paths)
  }

  var contradiction: PatternProblem? {
    let text = { (value: any CustomStringConvertible) in Excerpt.of("\(value)", width: 22) }
    if let first = methods.first, let other = methods.first(where: { $0 != first }) {
      return .impossible(
        "no request has the two methods \(text(first)) and \(text(other))", advice: Self.advice("request"))
    }
    if let first = paths.first, let other = paths.first(where: { first.params(in: RequestPath("\($0.path)")) == nil }) {
      return .impossible(
        "no request has the two paths \(text(first.path)) and \(text(other.path))", advice: Self.advice("request"))
    }
    return nil
  }
}

extension RequestPattern.Condition {
  /// The reason why no alternative can match: each needs two methods, or two literal paths; `nil` if one may match.
  var contradiction: StubError? { demands.contradiction.map(StubError.combination) }

  private var demands: [RequestDemands] {
    switch self {
    case .parts(let matcher):
      [
        RequestDemands(
          methods: [matcher.conditions.method].compactMap(\.self), paths: matcher.rank == .literal ? [matcher.path] : []
        )
      ]
    case .both(let left, let right): RequestDemands.both(left.demands, right.demands)
    case .either(let left, let right): RequestDemands.either(left.demands, right.demands)
    case .impossible, .responded, .not: [RequestDemands()]
    }
  }
}
