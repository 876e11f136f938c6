import Foundation

/// An error of reading, making or writing a recording.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The reason, with the file, variable or URL at fault and a remedy.
  public let description: String
  /// Returns ``description``.
  public var errorDescription: String? { description }

  package init(_ description: String) {
    self.description = description
  }
}
