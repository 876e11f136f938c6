import Foundation

/// The process's standard error.
package enum StandardError {
  /// Writes a text, and ignores errors: a full disk or a closed descriptor must not end the user's process.
  package static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
