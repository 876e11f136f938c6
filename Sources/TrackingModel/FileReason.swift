#if os(Linux)
  import Foundation

  extension Error {
    /// The reason that a file can't be read or written: `No such file or directory`.
    ///
    /// Foundation's own text says only "The operation could not be completed" here.
    package var fileReason: String {
      let underlying = ((self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? self) as NSError
      guard underlying.domain == NSPOSIXErrorDomain else { return localizedDescription }
      return String(cString: strerror(Int32(underlying.code)))
    }
  }
#endif
