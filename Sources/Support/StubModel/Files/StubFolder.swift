import Foundation
import TrackingModel

/// A folder of files that stubs send.
///
/// ```swift
/// verifier.stub(.get, "/images/*", .files(in: .bundle(.module, folder: "Images")))
/// ```
public struct StubFolder: Hashable, Sendable {
  package let url: URL

  /// Returns the folder at a file URL.
  public static func url(_ url: URL) -> StubFolder {
    StubFolder(url: url)
  }

  /// Returns the resources of a bundle, `.bundle(.module)`, or a folder in them.
  public static func bundle(_ bundle: Bundle, folder: String? = nil) -> StubFolder {
    let resources = bundle.resourceURL ?? bundle.bundleURL
    return StubFolder(url: folder.map { resources.appending(path: $0, directoryHint: .isDirectory) } ?? resources)
  }
}

extension StubFolder {
  /// Throws the folder's path, and the reason why it can't be used.
  func check() throws(StubError) {
    var isFolder: ObjCBool = false
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .file(path: path, reason: "doesn't exist")
    }
    guard isFolder.boolValue else { throw .file(path: path, reason: "isn't a folder") }
  }

  /// Reads a file; no name can leave the folder.
  package func data(of name: String) throws(StubError) -> Data {
    let path = try path(of: name)
    do {
      return try Data(contentsOf: URL(filePath: path))
    } catch {
      throw .file(path: path, reason: "can't be read: \(FileReason.of(error))")
    }
  }

  /// The name of a bundle in or next to the folder that has the resource.
  ///
  /// SwiftPM builds one for each target with resources: `App_AppTests.resources` on Linux, `App_AppTests.bundle` on Apple's platforms.
  private func resources(with name: String) -> String? {
    [url, url.deletingLastPathComponent()].lazy
      .flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.sorted().map { folder.appending(path: $0) }
      }
      .first { bundle in
        ["resources", "bundle"].contains(bundle.pathExtension)
          && ["", "Contents/Resources/"].contains {
            FileManager.default.fileExists(atPath: bundle.appending(path: $0 + name).path(percentEncoded: false))
          }
      }?.lastPathComponent
  }

  func path(of name: String) throws(StubError) -> String {
    let file = url.appending(path: name)
    let path = file.path(percentEncoded: false)
    let segments = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.contains("\0"), !segments.contains(".."), !name.hasPrefix("/") else {
      throw .file(path: path, reason: "is outside of its folder")
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      let hint = resources(with: name).map {
        ", but \($0) has it: `stubFolder = .bundle(.module)` (of a session, `folder`)"
      }
      throw .file(path: path, reason: "doesn't exist\(hint ?? "")")
    }
    guard !isFolder.boolValue else { throw .file(path: path, reason: "is a folder") }
    // Symbolic links are followed if they stay inside.
    let real = file.resolvingSymlinksInPath().standardizedFileURL.pathComponents
    guard real.starts(with: url.resolvingSymlinksInPath().standardizedFileURL.pathComponents) else {
      throw .file(path: path, reason: "is a link that leads out of its folder")
    }
    guard Self.isRegularFile(path) else { throw .file(path: path, reason: "isn't a regular file") }
    return path
  }

  /// Excludes pipes and devices, which may never end.
  private static func isRegularFile(_ path: String) -> Bool {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}
