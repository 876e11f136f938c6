import Foundation
import TrackingModel

/// What a stub asks for, ready to be compared with requests.
package struct StubMatcher: Sendable {
  package let endpoint: StubEndpoint
  private let path: PathMatcher

  /// - Throws: What is wrong with the path, the host or the method.
  package init(_ endpoint: StubEndpoint) throws(StubError) {
    if let method = endpoint.method, !method.rawValue.isToken { throw .method(method.rawValue) }
    if let host = endpoint.host { try Self.check(host: host) }
    self.endpoint = endpoint
    path = try PathMatcher(endpoint.path)
  }

  /// With a scheme or a port it would never be that of a request.
  ///
  /// Of an IPv6 address the colons are part.
  private static func check(host: String) throws(StubError) {
    guard !host.isEmpty, !host.contains("/"), host.count(where: { $0 == ":" }) != 1 else {
      throw .host(host)
    }
  }

  /// The request with what the path's params stand for, when the stub fits it.
  ///
  /// - Parameters:
  ///   - path: The request's path, where it is compared with several stubs.
  ///   - json: The request's body, where it is compared with several stubs.
  package func match(_ request: StubRequest, path: RequestPath? = nil, json: JSONBody? = nil) -> StubRequest? {
    guard isMethod(request.method), let params = self.path.params(in: path ?? RequestPath(request.path)),
      conditionDifferences(of: request).isEmpty,
      BodyComparison.differences(of: request, json ?? JSONBody(of: request), from: endpoint.body).isEmpty
    else { return nil }
    var request = request
    request.pathParams = params
    return request
  }

  /// Whether the stub fits as far as can be said before the body is there.
  package func matchesHead(of request: StubRequest, path: RequestPath? = nil) -> Bool {
    isMethod(request.method) && self.path.params(in: path ?? RequestPath(request.path)) != nil
      && conditionDifferences(of: request).isEmpty
  }

  /// Whether the stub may fit, as far as method, host, path and query say.
  package func matchesLine(of request: StubRequest, path: RequestPath? = nil) -> Bool {
    isMethod(request.method) && self.path.params(in: path ?? RequestPath(request.path)) != nil && isHost(request.host)
      && FieldComparison.differences(of: request, from: endpoint.query).isEmpty
  }

  /// All ways in which a request differs; none when the stub fits.
  ///
  /// - Parameter json: The request's body, where it is compared with several stubs.
  package func differences(of request: StubRequest, json: JSONBody? = nil) -> [StubDifference] {
    var differences: [StubDifference] = []
    if path.params(in: request.path) == nil { differences.append(path.difference(of: request.path)) }
    if let method = endpoint.method, !isMethod(request.method) {
      differences.append(StubDifference("the method is \(request.method), not \(method)", weight: 0.4))
    }
    return differences + conditionDifferences(of: request)
      + BodyComparison.differences(of: request, json ?? JSONBody(of: request), from: endpoint.body)
  }

  private func isMethod(_ method: String) -> Bool {
    endpoint.method.map { $0.rawValue == method } ?? true
  }

  private func isHost(_ host: String?) -> Bool {
    endpoint.host.map { $0.lowercased() == host } ?? true
  }

  /// The key under which a table finds the stub; `nil` when its path is not literal.
  var key: Int? { path.key }

  /// Whether it asks for the body's JSON.
  var looksAtJSON: Bool {
    switch endpoint.body {
    case .json, .jsonSubset: true
    case .ignored, .exact, .text, .form, .formSubset: false
    }
  }

  /// Where several stubs fit, the one that precedes answers: by the path, then by the number of constrained parts.
  package func precedes(_ other: StubMatcher) -> Bool {
    if path.rank != other.path.rank { return path.rank < other.path.rank }
    return constrainedParts > other.constrainedParts
  }

  private var constrainedParts: Int {
    path.literalSegments + (endpoint.method == nil ? 0 : 1) + (endpoint.host == nil ? 0 : 1)
      + endpoint.query.constrainedParts + endpoint.headers.count + endpoint.body.constrainedParts
  }

  /// What stands neither in the path, nor in the method, nor in the body.
  private func conditionDifferences(of request: StubRequest) -> [StubDifference] {
    var differences: [StubDifference] = []
    if let host = endpoint.host, !isHost(request.host) {
      differences.append(
        StubDifference("the host is \(request.host ?? "not named"), not \(host)", weight: 0.4))
    }
    if endpoint.query != .ignored { differences += FieldComparison.differences(of: request, from: endpoint.query) }
    for (name, value) in endpoint.headers.sorted(by: { $0.key < $1.key })
    where request.headers[name]?.isSameText(as: value) != true {
      let found = request.headers[name].map { "is \(TrackingValue.string($0))" } ?? "is missing"
      differences.append(
        StubDifference("the header \(name) \(found), not \(TrackingValue.string(value))", weight: 0.2))
    }
    return differences
  }
}
