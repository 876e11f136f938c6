import Foundation

/// A folder with files that stubs answer with.
public struct StubFolder: Hashable, Codable, Sendable {
  /// Where it is.
  public let url: URL

  /// A folder by its file URL.
  public static func url(_ url: URL) -> StubFolder {
    StubFolder(url: url)
  }

  /// The resources of a bundle: `.bundle(.module)`, or a folder among them.
  public static func bundle(_ bundle: Bundle, folder: String? = nil) -> StubFolder {
    let resources = bundle.resourceURL ?? bundle.bundleURL
    return StubFolder(url: folder.map { resources.appending(path: $0, directoryHint: .isDirectory) } ?? resources)
  }
}
