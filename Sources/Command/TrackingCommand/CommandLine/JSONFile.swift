import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

/// A file of JSON that a user names: the one place where it is read, and where a mistake in it gets the file's name and the line.
struct JSONFile {
  let name: String
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>, name: String) {
    (self.bytes, self.name) = (Array(bytes), name)
  }

  /// Reads a file, which may be a pipe.
  ///
  /// - Throws: ``PlanError`` with the reason in the system's words.
  init(at path: String) throws(PlanError) {
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      self.init(try handle.readToEnd() ?? Data(), name: path)
    } catch {
      throw PlanError(file: path, reason: "can't be read: \(FileReason.of(error))")
    }
  }

  /// - Throws: ``PlanError`` with the line of a mistake.
  func read<Value>(
    maximumDepth: Int = 128, _ body: (JSONNode) throws(JSONError) -> Value
  ) throws(PlanError) -> Value {
    do throws(JSONError) {
      return try body(JSONNode(bytes, maximumDepth: maximumDepth))
    } catch {
      throw PlanError(error, in: bytes, of: name)
    }
  }
}
