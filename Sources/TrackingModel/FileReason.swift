import Foundation

/// The reason that a file can't be read or written, the same on all platforms: `No such file or directory`.
///
/// Foundation's own text is in the user's language on Apple's platforms, and says nothing on Linux.
package enum FileReason {
  package static func of(_ error: any Error) -> String {
    systemCode(of: error).map { String(cString: strerror(Int32($0))) } ?? error.localizedDescription
  }

  /// The system's `errno`, which is at the bottom of an error of Foundation, sometimes two levels down; `nil` if there isn't one.
  package static func systemCode(of error: any Error) -> Int? {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return error.code }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap { systemCode(of: $0) }
  }
}
