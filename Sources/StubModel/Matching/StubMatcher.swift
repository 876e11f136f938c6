import Foundation
import TrackingModel

/// What a stub asks for, ready to be compared with requests.
package struct StubMatcher: Sendable {
  package let endpoint: StubEndpoint
  private let path: PathMatcher

  /// - Throws: What is wrong with the path.
  package init(_ endpoint: StubEndpoint) throws(StubError) {
    self.endpoint = endpoint
    path = try PathMatcher(endpoint.path)
  }

  /// The request with what the path's params stand for, when the stub fits it.
  package func match(_ request: StubRequest) -> StubRequest? {
    guard endpoint.method == nil || endpoint.method?.rawValue == request.method,
      case .success(let params) = path.match(request.path),
      conditionDifferences(of: request).isEmpty, BodyComparison.differences(of: request, from: endpoint.body).isEmpty
    else { return nil }
    var request = request
    request.pathParams = params
    return request
  }

  /// Whether the stub fits as far as can be said before the body is there.
  package func matchesHead(of request: StubRequest) -> Bool {
    (endpoint.method == nil || endpoint.method?.rawValue == request.method)
      && (try? path.match(request.path).get()) != nil && conditionDifferences(of: request).isEmpty
  }

  /// All ways in which a request differs; none when the stub fits.
  package func differences(of request: StubRequest) -> [StubDifference] {
    var differences: [StubDifference] = []
    if case .failure(let difference) = path.match(request.path) { differences.append(difference) }
    if let method = endpoint.method, method.rawValue != request.method {
      differences.append(StubDifference("the method is \(request.method), not \(method)", weight: 0.4))
    }
    return differences + conditionDifferences(of: request)
      + BodyComparison.differences(of: request, from: endpoint.body)
  }

  /// Whether it looks at the body.
  package var looksAtBody: Bool { endpoint.body != .ignored }

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
    if let host = endpoint.host, host.lowercased() != request.host {
      differences.append(
        StubDifference("the host is \(request.host ?? "not named"), not \(host)", weight: 0.4))
    }
    if endpoint.query != .ignored { differences += FieldComparison.differences(of: request, from: endpoint.query) }
    for (name, value) in endpoint.headers.sorted(by: { $0.key < $1.key }) where request.headers[name] != value {
      let found = request.headers[name].map { "is \(TrackingValue.string($0))" } ?? "is missing"
      differences.append(
        StubDifference("the header \(name) \(found), not \(TrackingValue.string(value))", weight: 0.2))
    }
    return differences
  }
}
