import Foundation

extension Error {
  /// The reason that a file can't be read or written, the same on all platforms: `No such file or directory`.
  ///
  /// Foundation's own text is in the user's language on Apple's platforms, and says nothing on Linux.
  package var fileReason: String {
    var error = self as NSError
    // The system's error is at the bottom, sometimes two levels down.
    while let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error { error = cause as NSError }
    guard error.domain == NSPOSIXErrorDomain else { return localizedDescription }
    return String(cString: strerror(Int32(error.code)))
  }
}
