#if canImport(Darwin)
  import Foundation

  extension StubURLProtocol {
    /// The reason why stubs can't respond to a task of this kind.
    var unsupportedTask: String? { nil }

    /// The reason why an unmatched task of this kind can't be passed through.
    var unforwardableTask: String? { nil }
  }

  extension ResponsePlan {
    /// Without parts that a session would lose.
    var withoutLosses: ResponsePlan { self }
  }

  extension URLResponse {
    /// Without fields that a session can't handle.
    var withoutTraps: URLResponse { self }
  }
#endif
