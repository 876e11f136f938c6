#if canImport(Darwin)
  extension StubURLProtocol {
    /// Why a task of this kind cannot be answered.
    var unsupportedTask: String? { nil }

    /// Why a task of this kind cannot be sent on when no stub answers it.
    var unforwardableTask: String? { nil }
  }
#endif
