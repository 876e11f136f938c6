import TrackingPatterns

extension RequestPattern {
  /// Whether a request matches, as far as it can be read.
  package func match(_ parsed: ParsedRequest) -> RequestMatch {
    problem == nil ? condition.match(parsed) : .no
  }

  package func matches(_ parsed: ParsedRequest) -> Bool { params(of: parsed) != nil }

  package func params(of parsed: ParsedRequest) -> [String: String]? {
    if case .yes(let params) = match(parsed) { params } else { nil }
  }

  /// Whether a request matches, as far as can be decided without code and from a part of the request.
  package func certainty(of parsed: ParsedRequest, knowing part: KnownPart) -> Certainty {
    problem == nil ? condition.certainty(of: parsed, knowing: part) : .no
  }

  /// Compares the pattern and a request, part by part; has no difference if the request matches.
  package func comparison(with parsed: ParsedRequest) -> StubComparison { condition.comparison(with: parsed) }

  /// Whether a response can make a request match, or stop matching.
  package var dependsOnResponse: Bool { condition.dependsOnResponse }

  /// Whether the response makes the request match, and not its arrival.
  package func isMatchedByResponse(_ parsed: ParsedRequest) -> Bool { condition.isMatchedByResponse(parsed) }

  /// The conditions on parts of requests, without those in a `not`.
  package var conditions: [RequestConditions] { condition.conditions }

  /// The conditions of a simple pattern; `nil` for a combination.
  package var single: RequestConditions? {
    switch condition {
    case .parts(let matcher): matcher.conditions
    case .impossible(let conditions): conditions
    case .responded, .both, .either, .not: nil
    }
  }

  /// Whether every request matches, whatever its parts and response.
  package var acceptsEverything: Bool { problem == nil && condition.acceptsEverything }

  package func isOnly(for method: ReceivedRequest.Method) -> Bool { condition.isOnly(for: method) }

  /// The first part that may run code, a closure or a Swift `Regex`, in words.
  package var code: String? {
    var code: String?
    _ = condition.contains {
      if case .parts(let matcher) = $0, matcher.hasCode { code = matcher.conditions.code }
      return code != nil
    }
    return code
  }

  var needsBody: Bool {
    condition.contains { if case .parts(let matcher) = $0 { matcher.needsBody } else { false } }
  }
}

extension RequestPattern.Condition {
  fileprivate func match(_ parsed: ParsedRequest) -> RequestMatch {
    switch self {
    case .parts(let matcher): return matcher.match(parsed)
    case .impossible: return .no
    case .responded(let statuses): return isMatch(statuses, parsed.response) ? .yes([:]) : .no
    case .both(let left, let right):
      let first = left.match(parsed)
      if case .no = first { return .no }
      switch (first, right.match(parsed)) {
      case (.yes(let params), .yes(let others)): return .yes(params.merging(others) { first, _ in first })
      case (_, .no), (.no, _): return .no
      case (.undecided(let reason), _), (_, .undecided(let reason)): return .undecided(reason)
      }
    case .either(let left, let right):
      let first = left.match(parsed)
      if case .yes = first { return first }
      let second = right.match(parsed)
      if case .no = second { return first }
      return second
    case .not(let condition):
      switch condition.match(parsed) {
      case .no: return .yes([:])
      case .undecided(let reason): return .undecided(reason)
      case .yes: return .no
      }
    }
  }

  private func matches(_ parsed: ParsedRequest) -> Bool {
    if case .yes = match(parsed) { true } else { false }
  }

  private func isMatch(_ statuses: ClosedRange<Int>?, _ response: ParsedRequest.Response) -> Bool {
    guard case .sent(let status) = response else { return false }
    guard let statuses else { return true }
    return status.map(statuses.contains) ?? false
  }

  fileprivate func certainty(of parsed: ParsedRequest, knowing part: KnownPart) -> Certainty {
    switch self {
    case .parts(let matcher): matcher.certainty(of: parsed, knowing: part)
    case .impossible: .no
    case .responded: .maybe
    case .both(let left, let right):
      min(left.certainty(of: parsed, knowing: part), right.certainty(of: parsed, knowing: part))
    case .either(let left, let right):
      max(left.certainty(of: parsed, knowing: part), right.certainty(of: parsed, knowing: part))
    case .not(let condition):
      switch condition.certainty(of: parsed, knowing: part) {
      case .no: .yes
      case .maybe: .maybe
      case .yes: .no
      }
    }
  }

  fileprivate var acceptsEverything: Bool {
    switch self {
    case .parts(let matcher): matcher.conditions == RequestConditions(method: nil, path: "/*")
    case .impossible, .responded, .not: false
    case .both(let left, let right): left.acceptsEverything && right.acceptsEverything
    case .either(let left, let right): left.acceptsEverything || right.acceptsEverything
    }
  }

  fileprivate var dependsOnResponse: Bool {
    contains { if case .responded = $0 { true } else { false } }
  }

  /// Whether a matching request matches only since its response was sent; the first matching alternative decides.
  fileprivate func isMatchedByResponse(_ parsed: ParsedRequest) -> Bool {
    switch self {
    case .parts, .impossible: false
    case .responded: true
    case .both(let left, let right): left.isMatchedByResponse(parsed) || right.isMatchedByResponse(parsed)
    case .either(let left, let right):
      Self.decisive([left, right], parsed).allSatisfy { $0.isMatchedByResponse(parsed) }
    case .not(let condition): condition.dependsOnResponse && parsed.response != .none
    }
  }

  /// The alternatives that match or, if none does, those that can't tell.
  private static func decisive(
    _ alternatives: [RequestPattern.Condition], _ parsed: ParsedRequest
  ) -> [RequestPattern.Condition] {
    let matching = alternatives.filter { $0.matches(parsed) }
    return matching.isEmpty
      ? alternatives.filter { if case .no = $0.match(parsed) { false } else { true } } : matching
  }

  func contains(_ isWanted: (RequestPattern.Condition) -> Bool) -> Bool {
    if isWanted(self) { return true }
    return switch self {
    case .parts, .impossible, .responded: false
    case .both(let left, let right), .either(let left, let right): left.contains(isWanted) || right.contains(isWanted)
    case .not(let condition): condition.contains(isWanted)
    }
  }

  fileprivate func isOnly(for method: ReceivedRequest.Method) -> Bool {
    switch self {
    case .parts(let matcher): matcher.conditions.method == method
    case .impossible, .responded, .not: false
    case .both(let left, let right): left.isOnly(for: method) || right.isOnly(for: method)
    case .either(let left, let right): left.isOnly(for: method) && right.isOnly(for: method)
    }
  }

  fileprivate var conditions: [RequestConditions] {
    switch self {
    case .parts(let matcher): [matcher.conditions]
    case .impossible(let conditions): [conditions]
    case .responded, .not: []
    case .both(let left, let right), .either(let left, let right): left.conditions + right.conditions
    }
  }
}

// MARK: - Differences

extension RequestPattern.Condition {
  fileprivate func comparison(with parsed: ParsedRequest) -> StubComparison {
    switch self {
    case .parts(let matcher):
      guard matcher.needsBody, !parsed.hasWholeBody else { return matcher.comparison(with: parsed) }
      let kept = parsed.request.body.count
      let limit = kept == 0 ? "journalBodyBytes" : "recordedBodyBytes"
      return Self.single(
        "body", wanted: "all \(parsed.bodySize) bytes", found: "\(kept) were kept: raise limits.\(limit)", weight: 0.1)
    case .impossible(let conditions):
      return Self.single("request", wanted: "the request \(conditions)", found: "can't match", weight: 1)
    case .responded(let statuses):
      let found =
        switch parsed.response {
        case .none: "no response yet"
        case .sent(let status): status.map { "\($0)" } ?? "no status"
        }
      let weight = isMatch(statuses, parsed.response) ? nil : 0.1
      return Self.single("status", wanted: statuses.map(Self.words) ?? "any", found: found, weight: weight)
    case .both(let left, let right): return left.comparison(with: parsed) + right.comparison(with: parsed)
    case .either(let left, let right):
      let (first, second) = (left.comparison(with: parsed), right.comparison(with: parsed))
      return first.weight <= second.weight ? first : second
    case .not(let condition):
      var comparison = StubComparison()
      switch match(parsed) {
      case .yes: comparison.add("request", wanted: "not \(condition)", found: "another one", nil)
      case .no:
        comparison.add(
          "request", wanted: "not \(condition)", found: "this one",
          StubDifference("the pattern excludes \(condition)", weight: 0.4))
      case .undecided(let reason):
        comparison.add(
          "request", wanted: "not \(condition)", found: "undecided", note: reason,
          StubDifference("can't tell whether it is \(condition): \(reason)", weight: 0.1))
      }
      return comparison
    }
  }

  private static func single(_ label: String, wanted: String, found: String, weight: Double?) -> StubComparison {
    var comparison = StubComparison()
    comparison.add(label, wanted: wanted, found: found, weight: weight)
    return comparison
  }
}
