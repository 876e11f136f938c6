import TrackingModel

/// The reason why a text isn't the expected JSON, with its place.
package struct JSONError: Error, Hashable {
  /// The reason in words: `expected a value, found "}"`.
  package let reason: String
  /// The path of the value at fault: `params.items[0].price`; empty for the whole text.
  package private(set) var path = ""
  /// The offset of the error in the text, in bytes.
  package let offset: Int

  package init(reason: String, path: String = "", offset: Int) {
    self.reason = reason
    self.path = path
    self.offset = offset
  }

  /// In bytes; a body of 64 MiB that consists of keys must not become a path of that size.
  private static let longestPath = 1_000
  /// In Unicode scalars.
  private static let longestKey = 100

  /// The error with its place in the text that it is about: `line 1, column 2: expected a value, found "}", at params`.
  package func text(in bytes: [UInt8]) -> String {
    let (line, column) = bytes.withUnsafeBufferPointer { LineTable($0).position(of: offset) }
    return "line \(line), column \(column): \(reason)\(path.isEmpty ? "" : ", at \(path)")"
  }

  /// The error as seen from the object that has the value under `key`.
  func inside(key: String) -> JSONError {
    with(prefix: key.shortened(to: Self.longestKey))
  }

  /// The error as seen from the array that has the value at `index`.
  func inside(index: Int) -> JSONError {
    with(prefix: "[\(index)]")
  }

  private func with(prefix: String) -> JSONError {
    guard path.utf8.count < Self.longestPath else {
      return path.hasPrefix("\u{2026}") ? self : JSONError(reason: reason, path: "\u{2026}" + path, offset: offset)
    }
    let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
    return JSONError(reason: reason, path: prefix + separator + path, offset: offset)
  }
}
