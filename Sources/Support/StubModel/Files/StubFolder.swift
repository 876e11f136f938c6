import Foundation

/// A folder with files that stubs send.
///
/// ```swift
/// verifier.stub(.get, "/images/*", .files(in: .bundle(.module, folder: "Images")))
/// ```
public struct StubFolder: Hashable, Sendable {
  /// The folder's location.
  package let url: URL

  /// A folder by its file URL.
  public static func url(_ url: URL) -> StubFolder {
    StubFolder(url: url)
  }

  /// The resources of a bundle, `.bundle(.module)`, or a folder among them.
  public static func bundle(_ bundle: Bundle, folder: String? = nil) -> StubFolder {
    let resources = bundle.resourceURL ?? bundle.bundleURL
    return StubFolder(url: folder.map { resources.appending(path: $0, directoryHint: .isDirectory) } ?? resources)
  }
}

/// A file that a stub responds with; it is read when the stub is installed.
package struct StubFile: Hashable, Sendable {
  /// Its path in the folder, for example `books/42.json`.
  package var name: String
  /// The folder; `nil` for the default folder of the verifier or session that installs the stub.
  package var folder: StubFolder?
  /// Whether it must be JSON, so that a mistake in it fails where the stub is installed.
  package var isJSON: Bool

  /// A file in a folder.
  package init(_ name: String, in folder: StubFolder? = nil, isJSON: Bool = false) {
    self.name = name
    self.folder = folder
    self.isJSON = isJSON
  }
}
