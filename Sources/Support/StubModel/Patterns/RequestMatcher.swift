import Foundation
import TrackingModel
import TrackingPatterns

/// Conditions on one request, prepared for comparisons.
package struct RequestMatcher: Sendable {
  package let conditions: RequestConditions
  private let path: PathMatcher
  private let host: ValueMatcher?
  /// Whether a condition is a closure, or may call one.
  let hasCode: Bool
  /// Whether deciding needs the whole body; code may read any part.
  let needsBody: Bool
  /// Whether a condition excludes texts or requires their absence: an unreadable text may be one of these.
  private let excludesTexts: Bool
  let specificity: Specificity

  /// Throws the invalid path, host, method or other condition.
  package init(_ conditions: RequestConditions) throws(StubError) {
    if let method = conditions.method {
      guard method.rawValue.isToken else { throw .method(method.rawValue) }
      if !conditions.hasSentMethod, let meant = method.likelyMeant { throw .method(method.rawValue, meant: meant) }
    }
    if let host = conditions.host?.onlyText { try Self.check(host: host) }
    if let part = conditions.namelessPart { throw .emptyName(of: part) }
    if let problem = conditions.invalidCondition { throw .condition(problem) }
    self.conditions = conditions
    path = try PathMatcher(conditions.path)
    host = conditions.host?.lowercased
    hasCode = conditions.code != nil
    needsBody = conditions.needsBody
    excludesTexts = conditions.parts.list.contains { $0.matchers.contains(where: \.excludesTexts) }
    specificity =
      Specificity(conditions: path.literalSegments, singleValues: path.literalSegments) + conditions.specificity
  }

  /// Refuses a host that can never match, because it has a scheme or a port; the colons of an IPv6 address belong to the host.
  private static func check(host: String) throws(StubError) {
    guard !host.isEmpty, !host.contains("/"), host.count(where: { $0 == ":" }) != 1 else {
      throw .host(host)
    }
  }

  var rank: PathMatcher.Rank { path.rank }

  /// The key under which a table finds the path; `nil` if it isn't literal.
  var key: Int? { path.key }
}

extension RequestMatcher: Hashable {
  package static func == (left: RequestMatcher, right: RequestMatcher) -> Bool { left.conditions == right.conditions }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(conditions)
  }
}

// MARK: - Matching

extension RequestMatcher {
  func match(_ parsed: ParsedRequest) -> RequestMatch {
    guard isMethod(of: parsed), acceptsOrigin(of: parsed.request) else { return .no }
    let params = path.params(in: parsed.path)
    guard params != nil || path.mayMatch(parsed.path) else { return .no }
    let lacksBody = needsBody && !parsed.hasWholeBody
    var doubt = params == nil ? "the path isn't text in UTF-8" : nil
    if lacksBody {
      doubt = doubt ?? "only \(parsed.request.body.count) of its \(parsed.bodySize) bytes were kept"
    }
    for part in conditions.parts.list where !lacksBody || part.known != nil {
      let accepts = part.accepts(parsed)
      if accepts, !excludesTexts { continue }
      let reason = part.doubt(about: parsed)
      guard accepts || reason != nil else { return .no }
      doubt = doubt ?? reason
    }
    guard doubt == nil, let params else { return .undecided(doubt ?? "") }
    guard let predicate = conditions.predicate else { return .yes(params) }
    var request = parsed.request
    (request.method, request.pathParams) = (parsed.method, params)
    if predicate.accepts(request) { return .yes(params) }
    return parsed.coding.map { .undecided("the body is \($0)") } ?? .no
  }

  /// Whether the request matches, as far as can be decided without code and from a part of the request.
  func certainty(of parsed: ParsedRequest, knowing part: KnownPart) -> Certainty {
    guard isMethod(of: parsed), acceptsAddress(of: parsed.request) else { return .no }
    let isPath = path.params(in: parsed.path) != nil
    guard isPath || path.mayMatch(parsed.path) else { return .no }
    guard !hasCode else { return .maybe }
    guard acceptsHost(of: parsed.request) else { return .no }
    var certainty = isPath ? Certainty.yes : .maybe
    for condition in conditions.parts.list {
      if condition.known == .line || condition.known == part {
        let accepts = condition.accepts(parsed)
        if accepts, !excludesTexts { continue }
        let isUnknown = condition.doubt(about: parsed) != nil
        guard accepts || isUnknown else { return .no }
        if isUnknown { certainty = .maybe }
      } else {
        certainty = .maybe
      }
    }
    return certainty
  }

  private func isMethod(of parsed: ParsedRequest) -> Bool {
    conditions.method.map { $0 == parsed.method } ?? true
  }

  private func acceptsOrigin(of request: ReceivedRequest) -> Bool {
    acceptsAddress(of: request) && acceptsHost(of: request)
  }

  private func acceptsAddress(of request: ReceivedRequest) -> Bool {
    (conditions.scheme == nil || request.scheme == nil || conditions.scheme == request.scheme)
      && (conditions.port == nil || request.port == nil || conditions.port == request.port)
  }

  private func acceptsHost(of request: ReceivedRequest) -> Bool {
    host.map { $0.accepts(fieldWith: Self.spellings(ofHost: request.host)) } ?? true
  }

  /// An IPv6 address with and without the brackets of a URL; otherwise the host alone.
  private static func spellings(ofHost host: String?) -> [String] {
    guard let host else { return [] }
    guard host.utf8.contains(UInt8(ascii: ":")) else { return [host] }
    let address = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    return [address, "[\(address)]"]
  }
}

// MARK: - Differences

extension RequestMatcher {
  func comparison(with parsed: ParsedRequest) -> StubComparison {
    let request = parsed.request
    var comparison = StubComparison()
    let params = path.params(in: parsed.path)
    let pathMiss = params == nil ? path.miss(of: parsed.path, request.path) : nil
    comparison.add(
      "path", wanted: "\(conditions.path)", found: request.path, note: pathMiss?.note, pathMiss?.difference)
    compareLine(of: parsed, &comparison)
    for part in conditions.parts.list {
      part.compare(parsed, &comparison)
      if excludesTexts, part.accepts(parsed), let doubt = part.doubt(about: parsed) {
        comparison.add(
          type(of: part).name, wanted: part.words ?? "", found: "unknown", note: doubt,
          StubDifference("can't tell whether the request is one \(part.words ?? ""): \(doubt)", weight: 0.1))
      }
    }
    // Not called if the request differs otherwise: a predicate may rely on the other conditions.
    if let predicate = conditions.predicate, comparison.differences.isEmpty {
      var matched = request
      matched.pathParams = params ?? [:]
      let isAccepted = predicate.accepts(matched)
      comparison.add(
        "where", wanted: predicate.description, found: isAccepted ? "holds" : "doesn't hold",
        isAccepted ? nil : StubDifference("the condition \"\(predicate.description)\" doesn't hold", weight: 0.2))
    }
    return comparison
  }

  private func compareLine(of parsed: ParsedRequest, _ comparison: inout StubComparison) {
    let request = parsed.request
    func add(_ label: String, wanted: String, found: String, isSame: Bool, weight: Double) {
      comparison.add(label, wanted: wanted, found: found, weight: isSame ? nil : weight)
    }
    if let method = conditions.method {
      add("method", wanted: "\(method)", found: "\(request.method)", isSame: isMethod(of: parsed), weight: 0.4)
    }
    if let scheme = conditions.scheme, let found = request.scheme {
      add("scheme", wanted: scheme, found: found, isSame: scheme == found, weight: 0.3)
    }
    if let host = conditions.host {
      add(
        "host", wanted: host.onlyText ?? "\(host)", found: request.host ?? "not named",
        isSame: acceptsHost(of: request), weight: 0.4)
    }
    if let port = conditions.port, let found = request.port {
      add("port", wanted: "\(port)", found: "\(found)", isSame: port == found, weight: 0.3)
    }
  }
}
