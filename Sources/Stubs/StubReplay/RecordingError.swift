import Foundation

/// An error of reading, making or writing a recording.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The reason, with the file, variable or URL at fault and a remedy.
  package let description: String
  /// Returns ``description``.
  package var errorDescription: String? { description }

  package init(_ description: String) {
    self.description = description
  }
}
