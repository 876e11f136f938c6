#if canImport(Darwin)
  extension StubsInEnvironment {
    /// In bytes: Apple's platforms other than macOS allow 256 KiB for all variables and arguments of a process (XNU's `ARG_MAX`).
    static let longestVariable = 64 * 1_024
  }
#endif
