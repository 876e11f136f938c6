/// A condition on a request that is written as code.
///
/// ```swift
/// verifier.stub(.request(.post, "/orders", where: .satisfying("a large order") { $0.body.count > 10_000 }), .status(413))
/// ```
///
/// Each condition that is made is equal to its copies alone. Code doesn't travel: a stub with such a condition can't be handed over to another process.
public struct RequestPredicate: Hashable, Sendable {
  /// The condition in words, for failures.
  let description: String
  private let closure: SharedClosure<Bool>

  /// A request for which a condition holds; the description names it in failures.
  ///
  /// The condition may be called on any thread, and more than once for a request. It may use the verifier: no lock is held, and other
  /// requests are answered meanwhile.
  public static func satisfying(
    _ description: String, _ condition: @escaping @Sendable (HTTPRequest) -> Bool
  ) -> RequestPredicate {
    RequestPredicate(description: description, closure: SharedClosure(condition))
  }

  func accepts(_ request: HTTPRequest) -> Bool {
    (try? closure.call(request)) ?? false
  }
}

/// The closure of a stub, which makes its answers from requests; `nil` passes a request on to the next stub.
package struct StubHandler: Hashable, Sendable {
  private let closure: SharedClosure<StubResult?>

  package init(_ closure: @escaping @Sendable (HTTPRequest) throws -> StubResult?) {
    self.closure = SharedClosure(closure)
  }

  package func answer(_ request: HTTPRequest) throws -> StubResult? {
    try closure.call(request)
  }
}

/// A closure with an identity, so that the stubs that hold it can be compared.
private final class SharedClosure<Value>: Hashable, Sendable {
  let call: @Sendable (HTTPRequest) throws -> Value

  init(_ call: @escaping @Sendable (HTTPRequest) throws -> Value) {
    self.call = call
  }

  static func == (left: SharedClosure, right: SharedClosure) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
