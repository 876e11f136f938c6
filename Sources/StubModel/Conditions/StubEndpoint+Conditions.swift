import TrackingModel
import TrackingPatterns

extension StubEndpoint {
  /// All matchers of its conditions.
  private var matchers: [ValueMatcher] {
    var matchers = [host].compactMap(\.self) + headers.values + cookies.values
    switch query {
    case .ignored, .exactItems: break
    case .exact(let items), .subset(let items): matchers += items.values
    }
    switch body {
    case .ignored, .exact: break
    case .text(let matcher), .json(let matcher), .jsonSubset(let matcher): matchers.append(matcher)
    case .form(let fields), .formSubset(let fields): matchers += fields.values
    case .multipart(let parts): matchers += parts.values.flatMap(\.matchers)
    }
    return matchers
  }

  /// Why a condition can match nothing, for example an invalid regular expression; `nil` if all are valid.
  var invalidCondition: String? { matchers.lazy.compactMap(\.invalidity).first }

  /// What can't be handed over to another process, because it is code; `nil` if everything can.
  package var code: String? {
    if handler != nil { return "its answer is a closure" }
    if let predicate { return "its condition \"\(predicate)\" is a closure" }
    return matchers.lazy.compactMap(\.closure).first.map { "its condition \"\($0)\" is a closure or a Regex" }
  }

  /// How many conditions it has besides the segments of the path.
  var conditionCount: Int {
    [method != nil, scheme != nil, host != nil, port != nil, predicate != nil].count { $0 } + headers.count
      + cookies.count + queryConditionCount + bodyConditionCount
  }

  private var queryConditionCount: Int {
    switch query {
    case .ignored: 0
    case .exact(let items): items.count + 1
    case .subset(let items): items.count
    case .exactItems(let items): items.items.count + 1
    }
  }

  private var bodyConditionCount: Int {
    switch body {
    case .ignored: 0
    case .exact, .text, .json, .form: 2
    case .jsonSubset, .formSubset, .multipart: 1
    }
  }

  /// How many conditions accept a single value.
  var singleValueCount: Int { matchers.count(where: \.isOneValue) }
}
