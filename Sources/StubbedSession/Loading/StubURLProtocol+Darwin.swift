#if canImport(Darwin)
  extension StubURLProtocol {
    /// Why a task of this kind cannot be answered.
    var unsupportedTask: String? { nil }
  }
#endif
