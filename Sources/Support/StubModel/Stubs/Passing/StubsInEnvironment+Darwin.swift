#if canImport(Darwin)
  extension StubsInEnvironment {
    /// In bytes: Apple's platforms allow 1 MiB for all variables and arguments of a process.
    static let longestVariable = 256 * 1_024
  }
#endif
