import Foundation
import TrackingModel
import TrackingPatterns

/// A stub's conditions, ready to be compared with requests.
package struct StubMatcher: Sendable {
  package let endpoint: StubEndpoint
  private let path: PathMatcher
  /// Requests name their host in lower case.
  private let host: ValueMatcher?
  private let constrainedParts: Int
  private let singleValues: Int
  private let isRecorded: Bool

  /// - Throws: The path, host, method or other condition that is invalid.
  package init(_ endpoint: StubEndpoint) throws(StubError) {
    if let method = endpoint.method, !method.rawValue.isToken { throw .method(method.rawValue) }
    if let host = endpoint.host?.onlyText { try Self.check(host: host) }
    if let reason = endpoint.invalidCondition { throw .condition(reason) }
    self.endpoint = endpoint
    path = try PathMatcher(endpoint.path)
    host = endpoint.host?.lowercased
    constrainedParts = path.literalSegments + endpoint.conditionCount
    singleValues = endpoint.singleValueCount
    isRecorded = !endpoint.results.isEmpty && endpoint.results.allSatisfy(\.isRecorded)
  }

  /// Refuses a host that can never match, because it has a scheme or a port; the colons of an IPv6 address belong to the host.
  private static func check(host: String) throws(StubError) {
    guard !host.isEmpty, !host.contains("/"), host.count(where: { $0 == ":" }) != 1 else {
      throw .host(host)
    }
  }

  /// The request with the values of the path's params, if the stub matches it.
  ///
  /// - Parameters:
  ///   - path: The request's path, where it is compared with several stubs.
  ///   - json: The request's body, where it is compared with several stubs.
  package func match(_ request: HTTPRequest, path: RequestPath? = nil, json: JSONBody? = nil) -> HTTPRequest? {
    guard isMethod(request.method), let params = self.path.params(in: path ?? RequestPath(request.path)),
      acceptsOrigin(of: request), acceptsFields(of: request),
      BodyComparison.accepts(request, json ?? JSONBody(of: request), endpoint.body)
    else { return nil }
    var request = request
    request.pathParams = params
    return endpoint.predicate?.accepts(request) == false ? nil : request
  }

  /// Whether the stub matches, as far as can be said before the body has arrived.
  package func matchesHead(of request: HTTPRequest, path: RequestPath? = nil) -> Bool {
    isMethod(request.method) && self.path.params(in: path ?? RequestPath(request.path)) != nil
      && acceptsOrigin(of: request) && acceptsFields(of: request)
  }

  /// Whether the stub may match, by method, URL and query alone.
  package func matchesLine(of request: HTTPRequest, path: RequestPath? = nil) -> Bool {
    isMethod(request.method) && self.path.params(in: path ?? RequestPath(request.path)) != nil
      && acceptsOrigin(of: request) && FieldComparison.accepts(request.query, endpoint.query)
  }

  private func isMethod(_ method: String) -> Bool {
    endpoint.method.map { $0.rawValue == method } ?? true
  }

  private func acceptsOrigin(of request: HTTPRequest) -> Bool {
    (endpoint.scheme == nil || request.scheme == nil || endpoint.scheme == request.scheme)
      && (endpoint.port == nil || request.port == nil || endpoint.port == request.port)
      && (host.map { $0.accepts(fieldWith: [request.host].compactMap(\.self)) } ?? true)
  }

  private func acceptsFields(of request: HTTPRequest) -> Bool {
    FieldComparison.accepts(request.query, endpoint.query)
      && endpoint.headers.allSatisfy { $0.value.accepts(fieldWith: [request.headers[$0.key]].compactMap(\.self)) }
      && (endpoint.cookies.isEmpty || FieldComparison.accepts(request.cookies, endpoint.cookies, isExact: false))
  }
}

// MARK: - Precedence

extension StubMatcher {
  /// Whether this stub answers requests that both match: by the path, then by the number of conditions, then by how many of these name one
  /// value.
  ///
  /// If the paths are of the same kind, a test's stub precedes a recorded one, because a recording's conditions weren't chosen by anyone.
  package func precedes(_ other: StubMatcher) -> Bool {
    if path.rank != other.path.rank { return path.rank < other.path.rank }
    if isRecorded != other.isRecorded { return !isRecorded }
    if constrainedParts != other.constrainedParts { return constrainedParts > other.constrainedParts }
    return singleValues > other.singleValues
  }

  /// The key under which a table finds the stub; `nil` if its path isn't literal.
  var key: Int? { path.key }

  /// Whether it compares the JSON of the body.
  var looksAtJSON: Bool {
    switch endpoint.body {
    case .json, .jsonSubset: true
    case .ignored, .exact, .text, .form, .formSubset, .multipart: false
    }
  }
}

// MARK: - Differences

extension StubMatcher {
  /// The stub and a request, part by part.
  ///
  /// - Parameters:
  ///   - path: The request's path, where it is compared with several stubs.
  ///   - json: The request's body, where it is compared with several stubs.
  package func comparison(
    with request: HTTPRequest, path sentPath: RequestPath? = nil, json: JSONBody? = nil
  ) -> StubComparison {
    var comparison = StubComparison()
    let requestPath = sentPath ?? RequestPath(request.path)
    let params = path.params(in: requestPath)
    let pathMiss = params == nil ? path.miss(of: requestPath, request.path) : nil
    comparison.add(
      "path", wanted: "\(endpoint.path)", found: request.path, note: pathMiss?.note, pathMiss?.difference)
    func add(_ label: String, wanted: String, found: String, isSame: Bool, weight: Double) {
      comparison.add(label, wanted: wanted, found: found, weight: isSame ? nil : weight)
    }
    if let method = endpoint.method {
      add("method", wanted: "\(method)", found: request.method, isSame: isMethod(request.method), weight: 0.4)
    }
    if let scheme = endpoint.scheme, let found = request.scheme {
      add("scheme", wanted: scheme, found: found, isSame: scheme == found, weight: 0.3)
    }
    if let host = endpoint.host {
      add(
        "host", wanted: host.onlyText ?? "\(host)", found: request.host ?? "not named",
        isSame: self.host?.accepts(fieldWith: [request.host].compactMap(\.self)) ?? true, weight: 0.4)
    }
    if let port = endpoint.port, let found = request.port {
      add("port", wanted: "\(port)", found: "\(found)", isSame: port == found, weight: 0.3)
    }
    FieldComparison.compare(request.query, with: endpoint.query, &comparison)
    for (name, value) in endpoint.headers.sorted(by: { $0.key < $1.key }) {
      FieldComparison.compare(
        [request.headers[name]].compactMap(\.self), with: value, "the header \(name)", label: name, &comparison)
    }
    if !endpoint.cookies.isEmpty {
      FieldComparison.compare(request.cookies, with: endpoint.cookies, "cookies", isExact: false, &comparison)
    }
    BodyComparison.compare(request, json ?? JSONBody(of: request), with: endpoint.body, &comparison)
    // Not asked about requests that differ otherwise: it may rely on the other conditions.
    if let predicate = endpoint.predicate, comparison.differences.isEmpty {
      var matched = request
      matched.pathParams = params ?? [:]
      let isAccepted = predicate.accepts(matched)
      comparison.add(
        "where", wanted: "\(predicate)", found: isAccepted ? "holds" : "doesn't hold",
        isAccepted ? nil : StubDifference("the condition \"\(predicate)\" doesn't hold", weight: 0.2))
    }
    return comparison
  }
}
