#if canImport(Darwin)
  import Foundation

  extension Error {
    /// The reason that a file can't be read or written, in Foundation's words, which are clear on this platform.
    package var fileReason: String { localizedDescription }
  }
#endif
