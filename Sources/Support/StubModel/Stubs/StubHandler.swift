/// The closure of a stub, which makes its responses from requests; returning `nil` passes the request on to the next stub.
package struct StubHandler: Hashable, Sendable {
  /// Suspends and occupies no thread while it waits.
  package typealias AsyncClosure = @Sendable (ReceivedRequest) async throws -> StubResponse?

  private final class Identity: Sendable {}

  private let identity = ByIdentity(Identity())
  private var closure: (@Sendable (ReceivedRequest) throws -> StubResponse?)?
  package private(set) var asyncClosure: AsyncClosure?

  package init(_ closure: @escaping @Sendable (ReceivedRequest) throws -> StubResponse?) {
    self.closure = closure
  }

  package init(async closure: @escaping AsyncClosure) {
    asyncClosure = closure
  }

  package func respond(to request: ReceivedRequest) throws -> StubResponse? {
    try closure?(request)
  }

  /// An equal handler that declines each request.
  var withoutCode: StubHandler {
    changed(self) { ($0.closure, $0.asyncClosure) = (nil, nil) }
  }

  package static func == (left: StubHandler, right: StubHandler) -> Bool { left.identity == right.identity }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
