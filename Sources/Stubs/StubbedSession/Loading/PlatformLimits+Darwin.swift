#if canImport(Darwin)
  import Foundation

  extension StubURLProtocol {
    /// The reason that stubs can't respond to a task of this kind; `nil` if they can.
    var unsupportedTask: String? { nil }

    /// The reason that an unmatched task of this kind can't be passed through; `nil` if it can.
    var unforwardableTask: String? { nil }
  }

  extension ResponsePlan {
    /// The plan without what a session would lose.
    var withoutLosses: ResponsePlan { self }
  }

  extension URLResponse {
    /// The response without fields that a session can't handle.
    var withoutTraps: URLResponse { self }
  }
#endif
