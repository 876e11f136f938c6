#if !canImport(Darwin)
  extension StubsInEnvironment {
    /// In bytes: Linux allows 128 KiB for one variable.
    static let longestVariable = 32 * 1_024
  }
#endif
