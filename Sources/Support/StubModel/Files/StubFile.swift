import Foundation
import TrackingJSON
import TrackingModel

/// A file that a stub responds with; read when the stub is installed.
package struct StubFile: Hashable, Sendable {
  /// The path in the folder, for example `books/42.json`.
  package var name: String
  /// `nil` for the default folder of the verifier or session that installs the stub.
  package var folder: StubFolder?
  /// Whether the file must be JSON: a mistake in it then fails where the stub is installed.
  package var isJSON: Bool

  package init(_ name: String, in folder: StubFolder? = nil, isJSON: Bool = false) {
    self.name = name
    self.folder = folder
    self.isJSON = isJSON
  }
}

extension StubFile {
  /// Reads the file; throws its path and the reason why it can't be used.
  func read(from defaultFolder: StubFolder?) throws(StubError) -> Data {
    guard let folder = folder ?? defaultFolder else { throw .noFolder(name: name) }
    let data = try folder.data(of: name)
    if isJSON, let problem = Self.jsonProblem(in: data) {
      throw .file(
        path: folder.url.appending(path: name).path(percentEncoded: false), reason: "can't be read as JSON: \(problem)")
    }
    return data
  }

  /// The error in a JSON text with its place: `line 3, column 7: expected a value, found "}"`.
  private static func jsonProblem(in data: Data) -> String? {
    do throws(JSONError) {
      try JSONReader.read(data, maximumDepth: 512) { (reader) throws(JSONError) in
        reader.largeNumber = .rounded
        _ = try reader.value()
      }
      return nil
    } catch {
      let (line, column) = data.withUnsafeBytes { LineTable($0.bindMemory(to: UInt8.self)).position(of: error.offset) }
      return "line \(line), column \(column): \(error.reason)"
    }
  }
}
