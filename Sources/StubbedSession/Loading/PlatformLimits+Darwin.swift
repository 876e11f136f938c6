#if canImport(Darwin)
  import Foundation

  extension StubURLProtocol {
    /// The reason why a task of this kind can't be answered; `nil` if it can.
    var unsupportedTask: String? { nil }

    /// The reason why a task of this kind can't be passed through if no stub matches it; `nil` if it can.
    var unforwardableTask: String? { nil }
  }

  extension AnswerPlan {
    /// The plan without what a session would lose.
    var withoutLosses: AnswerPlan { self }
  }

  extension URLResponse {
    /// The response without fields that a session can't handle.
    var withoutTraps: URLResponse { self }
  }
#endif
