/// A file that a stub answers with, read when the stub is installed.
public struct StubFile: Hashable, Codable, Sendable {
  /// Its path in the folder, for example `books/42.json`.
  public var name: String
  /// The folder; `nil` for the one that whoever installs the stub has.
  public var folder: StubFolder?

  /// A file in a folder.
  public init(_ name: String, in folder: StubFolder? = nil) {
    self.name = name
    self.folder = folder
  }
}
