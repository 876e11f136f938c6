/// Why a text is not the JSON that was asked for, and where.
package struct JSONError: Error, Hashable {
  /// What is wrong, in words: `expected a value, found "}"`.
  package let reason: String
  /// Where it stands among the values: `params.items[0].price`; empty at the top.
  package private(set) var path = ""
  /// Where it stands in the text, in bytes.
  package let offset: Int

  package init(reason: String, path: String = "", offset: Int) {
    self.reason = reason
    self.path = path
    self.offset = offset
  }

  /// Bytes of a path that say enough; a body of 64 MiB that is nothing but keys must not become a path of that size.
  private static let longestPath = 1_000
  /// Characters of a key that stand in a path.
  private static let longestKey = 100

  /// The same error, seen from the object that has the value under `key`.
  func inside(key: String) -> JSONError {
    with(prefix: key.shortened(to: Self.longestKey))
  }

  /// The same error, seen from the array that has the value at `index`.
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
