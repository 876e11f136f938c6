#if os(Linux)
  import Foundation

  extension Error {
    /// The reason why a file can't be read or written: `No such file or directory`.
    ///
    /// Foundation's own words begin with "The operation could not be completed" here, and often end there.
    package var fileReason: String {
      let underlying = ((self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? self) as NSError
      guard underlying.domain == NSPOSIXErrorDomain else { return localizedDescription }
      return String(cString: strerror(Int32(underlying.code)))
    }
  }
#endif
