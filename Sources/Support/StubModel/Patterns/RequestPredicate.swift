/// A condition on requests that is written as code.
///
/// ```swift
/// verifier.stub(.request(.post, "/orders", where: .satisfying("a large order") { $0.body.count > 10_000 }), .status(413))
/// ```
///
/// A predicate is equal only to its own copies. A stub with a predicate can't be passed to another process, because it is code.
public struct RequestPredicate: Hashable, Sendable {
  /// The condition in words, for failures.
  let description: String
  private let condition: ByIdentity<Condition>

  private final class Condition: Sendable {
    let accepts: @Sendable (ReceivedRequest) -> Bool

    init(_ accepts: @escaping @Sendable (ReceivedRequest) -> Bool) {
      self.accepts = accepts
    }
  }

  /// Matches a request for which a closure returns `true`; failures show the description.
  ///
  /// The closure may be called on any thread, and more than once for a request. It may use the verifier: no lock is held, and other requests get
  /// their responses meanwhile.
  public static func satisfying(
    _ description: String, _ condition: @escaping @Sendable (ReceivedRequest) -> Bool
  ) -> RequestPredicate {
    RequestPredicate(description: description, condition: ByIdentity(Condition(condition)))
  }

  func accepts(_ request: ReceivedRequest) -> Bool {
    condition.object.accepts(request)
  }
}
