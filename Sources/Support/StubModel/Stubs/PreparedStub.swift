import Foundation
import TrackingModel

/// A stub that can be installed: its conditions are valid and its files have been read.
package struct PreparedStub: Sendable {
  package private(set) var endpoint: StubEndpoint
  /// The endpoint without responses and code, for uses that outlive the stub.
  package let outline: StubEndpoint
  package let precedence: StubPrecedence
  package private(set) var results: [PreparedResponse]
  /// The folder of files without one.
  package let folder: StubFolder?
  /// Whether a condition is a closure, or may call one.
  let hasCode: Bool

  /// Responds in place of the results.
  package var handler: StubHandler? { endpoint.handler }

  /// Throws the invalid part: the path, a condition, a file, a response.
  package init(_ endpoint: StubEndpoint, folder: StubFolder?) throws(StubError) {
    if let problem = endpoint.pattern.problem { throw problem }
    guard endpoint.handler != nil || !endpoint.results.isEmpty else { throw .noResult }
    if let times = endpoint.options.times, times < 1 {
      throw .result("a stub must respond at least once, not \(times) times")
    }
    self.endpoint = endpoint
    outline = endpoint.outline
    results = try endpoint.results.map { (result) throws(StubError) in
      try PreparedResponse(result, for: endpoint, folder: folder)
    }
    self.folder = folder
    hasCode = endpoint.pattern.code != nil
    precedence = StubPrecedence(endpoint)
  }

  /// Releases responses and code, which may retain a test.
  mutating func release() {
    endpoint = outline
    results = []
  }

  /// Whether a response breaks a request off before its body has arrived.
  var hasEarlyFault: Bool {
    results.contains { $0.result.fault?.position.isBeforeTheRequestIsRead == true }
  }
}
