import Foundation

package enum StandardError {
  /// Ignores errors: a full disk or a closed descriptor must not end the user's process.
  package static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
