import Foundation
import TrackingJSON

// In a file of its own, because the name of the tree is then this module's, too.

/// A JSON value whose members keep their order.
@_spi(TrackingCommand) public typealias JSONTree = TrackingJSON.JSONTree

extension TrackingJSON.JSONTree {
  /// Reads a text in JSON, strictly.
  ///
  /// - Throws: `RecordingError` with line, column and path of what isn't JSON.
  @_spi(TrackingCommand)
  public init(json data: Data) throws(RecordingError) {
    // Windows tools write a byte order mark; RFC 8259 8.1 allows a reader to ignore it.
    let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data[...]
    let result: Result<TrackingJSON.JSONTree, RecordingError> = text.withUnsafeBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      do throws(JSONError) {
        return .success(try Self(bytes, maximumDepth: 128))
      } catch {
        let position = LineTable(bytes).position(of: error.offset)
        let path = error.path.isEmpty ? "" : ", at \(error.path)"
        return .failure(
          RecordingError("line \(position.line), column \(position.column): \(error.reason)\(path)"))
      }
    }
    self = try result.get()
  }
}
