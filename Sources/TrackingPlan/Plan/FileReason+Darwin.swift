#if canImport(Darwin)
  import Foundation

  extension Error {
    /// The reason why a file can't be read or written, which Foundation words well here.
    package var fileReason: String { localizedDescription }
  }
#endif
