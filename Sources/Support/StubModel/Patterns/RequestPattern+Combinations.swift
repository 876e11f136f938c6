import TrackingPatterns

package enum RequestMatch: Sendable {
  case no
  /// The pattern needs a part of the request that can't be read, for this reason.
  case undecided(String)
  case yes([String: String])
}

extension RequestPattern {
  /// Whether a request matches, as far as it can be read.
  package func match(_ parsed: ParsedRequest) -> RequestMatch {
    let look = look(at: parsed)
    return switch look.state {
    case .unmet, .pending: .no
    case .unread: .undecided(look.doubt ?? "")
    case .met: .yes(look.params)
    }
  }

  package func matches(_ parsed: ParsedRequest) -> Bool { look(at: parsed).state == .met }

  /// Whether only an unknown response decides whether a request matches.
  package func isPending(_ parsed: ParsedRequest) -> Bool { look(at: parsed).state == .pending }

  package func params(of parsed: ParsedRequest) -> [String: String]? {
    let look = look(at: parsed)
    return look.state == .met ? look.params : nil
  }

  /// Whether a request may match, as far as can be told without code and from a part of the request.
  package func mayMatch(_ parsed: ParsedRequest, knowing part: KnownPart) -> Bool {
    look(at: parsed, knowing: part).state != .unmet
  }

  /// Compares the pattern and a request, part by part; has no difference if the request matches.
  package func comparison(with parsed: ParsedRequest) -> StubComparison {
    var look = Look(at: parsed, explains: true)
    condition.look(&look)
    return StubComparison(look.rows)
  }

  func look(at parsed: ParsedRequest, knowing part: KnownPart = .all) -> Look {
    var look = Look(at: parsed, knowing: part)
    if problem == nil { condition.look(&look) } else { look.add(.unmet) }
    return look
  }

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
  fileprivate func look(_ look: inout Look) {
    switch self {
    case .parts(let matcher): matcher.look(&look)
    case .impossible(let conditions):
      look.add(
        .unmet, Look.Row("request", wanted: "the request \(conditions)", found: "can't match", weight: 1))
    case .responded(let statuses): Self.look(&look, statuses)
    case .both(let left, let right): look.both(left.look, right.look)
    case .either(let left, let right): look.either(left.look, right.look)
    case .not(let condition):
      look.negated(condition.look) { state, doubt in
        let isUnread = state == .unread
        return Look.Row(
          "request", wanted: "not \(condition)",
          found: isUnread ? "undecided" : state == .met ? "another one" : "this one", why: isUnread ? doubt : nil,
          isUnread ? "can't tell whether it is \(condition): \(doubt)" : "the pattern excludes \(condition)",
          weight: isUnread ? 0.1 : 0.4)
      }
    }
  }

  private static func look(_ look: inout Look, _ statuses: ClosedRange<Int>?) {
    let response = look.parsed.response
    guard look.knowing == .all, response != .unknown else { return look.add(.pending) }
    func isMet() -> Bool {
      guard case .sent(let status) = response else { return false }
      guard let statuses else { return true }
      return status.map(statuses.contains) ?? false
    }
    func found() -> String {
      switch response {
      case .none, .unknown: "no response yet"
      case .sent(let status): status.map { "\($0)" } ?? "no response"
      }
    }
    look.add(
      isMet() ? .met : .unmet,
      Look.Row("status", wanted: statuses.map(words) ?? "any", found: found(), weight: 0.1))
  }

  private func state(for parsed: ParsedRequest) -> Look.State {
    var look = Look(at: parsed)
    self.look(&look)
    return look.state
  }

  fileprivate var acceptsEverything: Bool {
    switch self {
    case .parts(let matcher): matcher.conditions == RequestConditions(path: "/*", parts: [])
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
    let states = alternatives.map { $0.state(for: parsed) }
    let best = states.max().flatMap { $0 == .unmet ? nil : $0 }
    return zip(alternatives, states).filter { $1 == best }.map(\.0)
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
