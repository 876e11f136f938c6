/// A condition on a request that is written as code.
///
/// ```swift
/// verifier.stub(.post, "/orders", where: .satisfying("a large order") { $0.body.count > 10_000 }, .status(413))
/// ```
///
/// Code doesn't travel: a stub with such a condition can't be handed over to another process.
public struct RequestPredicate: Sendable {
  /// What it asks for, in failures.
  public let description: String
  private let closure: SharedClosure<Bool>

  /// A request for which a condition holds; the description names it in failures.
  ///
  /// The condition may be called by any thread, and more than once for a request.
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

extension RequestPredicate: Hashable, CustomStringConvertible {
  /// Whether both are the same condition: each that is made is equal to its copies alone.
  public static func == (left: RequestPredicate, right: RequestPredicate) -> Bool { left.closure == right.closure }

  /// Hashes the identity of the condition.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(closure)
  }
}

// Stubs are `Codable` as a whole. Those with a closure are refused before they are encoded, with a message of their own.

extension RequestPredicate: Codable {
  /// Fails: a condition in code can't be decoded.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a condition in code can't be decoded"))
  }

  /// Fails: a condition in code exists in this process only.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self,
      EncodingError.Context(
        codingPath: encoder.codingPath,
        debugDescription: "\"\(description)\" is a closure, which exists in this process only"))
  }
}

extension StubHandler: Codable {
  package init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a closure can't be decoded"))
  }

  package func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self,
      EncodingError.Context(
        codingPath: encoder.codingPath, debugDescription: "the answer is a closure, which exists in this process only"))
  }
}
