import Foundation

/// An error of reading, making or writing a recording.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The reason, with the file, variable or URL at fault and what to do about it.
  public let description: String
  /// The same.
  public var errorDescription: String? { description }

  /// An error with a reason.
  package init(_ description: String) {
    self.description = description
  }
}
