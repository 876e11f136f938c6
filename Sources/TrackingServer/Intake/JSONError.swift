/// Why a text is not the JSON that was asked for, and where.
struct JSONError: Error, Hashable {
  /// What is wrong, in words: `expected a value, found "}"`.
  let reason: String
  /// Where it stands among the values: `params.items[0].price`; empty at the top.
  var path = ""
  /// Where it stands in the text, in bytes.
  let offset: Int

  /// The same error, seen from the object that has the value under `key`.
  func inside(key: String) -> JSONError {
    with(prefix: key)
  }

  /// The same error, seen from the array that has the value at `index`.
  func inside(index: Int) -> JSONError {
    with(prefix: "[\(index)]")
  }

  private func with(prefix: String) -> JSONError {
    let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
    return JSONError(reason: reason, path: prefix + separator + path, offset: offset)
  }
}
