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

  /// A hint at the place where a missing file is: the resources of a target, or a folder in them or in this folder.
  private func hint(atMissing name: String) -> String {
    let bundles = resourceBundles
    if let bundle = bundles.first(where: { Self.exists(name, in: $0.resources) }) {
      return ", but \(bundle.name) has it: `stubFolder = .bundle(.module)` (of a session, `folder`)"
    }
    if let folder = Self.subfolder(of: url, with: name) { return ", but \(folder)/\(name) does" }
    for bundle in bundles {
      guard let folder = Self.subfolder(of: bundle.resources, with: name) else { continue }
      return
        ", but \(bundle.name) has it in \(folder): `stubFolder = .bundle(.module, folder: \(folder.swiftLiteral))` (of a session, `folder`)"
    }
    return ""
  }

  /// The bundles in or next to the folder, with their resources.
  ///
  /// SwiftPM builds one for each target with resources: `App_AppTests.resources` on Linux, `App_AppTests.bundle` on Apple's platforms.
  private var resourceBundles: [(name: String, resources: URL)] {
    [url, url.deletingLastPathComponent()]
      .flatMap { folder in Self.names(in: folder).map { folder.appending(path: $0) } }
      .filter { Self.isBundle($0.lastPathComponent) }
      .flatMap { bundle in
        ["", "Contents/Resources"].map { (bundle.lastPathComponent, bundle.appending(path: $0)) }
      }
  }

  private static func isBundle(_ name: String) -> Bool { name.hasSuffix(".resources") || name.hasSuffix(".bundle") }

  private static func subfolder(of folder: URL, with name: String) -> String? {
    names(in: folder).first { !isBundle($0) && exists(name, in: folder.appending(path: $0)) }
  }

  private static func names(in folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []).sorted()
  }

  private static func exists(_ name: String, in folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path(percentEncoded: false))
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
      throw .file(path: path, reason: "doesn't exist\(hint(atMissing: name))")
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
