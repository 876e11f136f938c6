#if !canImport(Darwin)
  extension Browser {
    /// The program of the system.
    static let systemProgram: String? = "xdg-open"
  }
#endif
