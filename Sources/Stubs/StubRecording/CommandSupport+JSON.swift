import Foundation
import TrackingJSON

// In a separate file: it makes the name of the tree one of this module's, too, so every file that uses the tree depends on this one.

/// A JSON value whose members keep their order.
package typealias JSONTree = TrackingJSON.JSONTree

extension TrackingJSON.JSONTree {
  /// Reads a text in JSON, strictly.
  ///
  /// - Throws: `RecordingError` with line, column and path of what isn't JSON.
  package init(json data: Data) throws(RecordingError) {
    self = try Self.read(data, file: "").tree
  }

  /// Reads a file in JSON, strictly.
  ///
  /// - Returns: The tree, and a function that finds the lines of its values, from 1.
  /// - Throws: `RecordingError` with the file, the line and the path of what isn't JSON: `a.json:3: items[0]: expected a value`.
  package static func read(
    _ data: Data, file: String
  ) throws(RecordingError) -> (tree: JSONTree, line: @Sendable (JSONTree) -> Int) {
    // Windows tools write a byte order mark; RFC 8259 8.1 allows a reader to ignore it.
    let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data[...]
    let result: Result<(JSONTree, LineTable), RecordingError> = text.withUnsafeBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      let lines = LineTable(bytes)
      do throws(JSONError) {
        return .success((try Self(bytes, maximumDepth: 128), lines))
      } catch {
        let (line, column) = lines.position(of: error.offset)
        guard file.isEmpty else {
          let path = error.path.isEmpty ? "" : "\(error.path): "
          return .failure(RecordingError("\(file):\(line): \(path)\(error.reason)"))
        }
        let path = error.path.isEmpty ? "" : ", at \(error.path)"
        return .failure(RecordingError("line \(line), column \(column): \(error.reason)\(path)"))
      }
    }
    let (tree, lines) = try result.get()
    return (tree, { lines.position(of: Int($0.place.offset)).line })
  }
}
