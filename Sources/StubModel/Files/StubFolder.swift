import Foundation
import TrackingJSON

/// A folder with files that stubs answer with.
///
/// ```swift
/// verifier.stub(.get, "/images/*", .files(in: .bundle(.module, folder: "Images")))
/// ```
public struct StubFolder: Hashable, Codable, Sendable {
  /// The folder's location.
  public let url: URL

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

/// A file that a stub answers with; it is read when the stub is installed.
public struct StubFile: Hashable, Codable, Sendable {
  /// Its path in the folder, for example `books/42.json`.
  public var name: String
  /// The folder; `nil` for the default folder of the verifier or session that installs the stub.
  public var folder: StubFolder?
  /// Whether it must be JSON, so that a mistake in it fails where the stub is installed.
  public var isJSON: Bool

  /// A file in a folder.
  public init(_ name: String, in folder: StubFolder? = nil, isJSON: Bool = false) {
    self.name = name
    self.folder = folder
    self.isJSON = isJSON
  }
}

// MARK: - Reading

extension StubFile {
  /// The file's bytes.
  ///
  /// - Throws: The file's path, and why it can't be used.
  func read(from defaultFolder: StubFolder?) throws(StubError) -> Data {
    guard let folder = folder ?? defaultFolder else { throw .noFolder(name: name) }
    let data = try folder.data(of: name)
    if isJSON, let problem = Self.jsonProblem(in: data) {
      throw .file(path: folder.url.appending(path: name).path(percentEncoded: false), reason: "isn't JSON: \(problem)")
    }
    return data
  }

  /// What is wrong with JSON, and where: `line 3, column 7: expected a value, found "}"`.
  private static func jsonProblem(in data: Data) -> String? {
    data.withUnsafeBytes { bytes in
      let text = bytes.bindMemory(to: UInt8.self)
      var reader = JSONReader(text, maximumDepth: 512)
      do throws(JSONError) {
        _ = try reader.value()
        try reader.end()
        return nil
      } catch {
        let before = text.prefix(error.offset)
        let lineStart = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
        return "line \(before.count { $0 == 10 } + 1), column \(error.offset - lineStart + 1): \(error.reason)"
      }
    }
  }
}

extension StubFolder {
  /// - Throws: The folder's path, and why it can't be used.
  func check() throws(StubError) {
    var isFolder: ObjCBool = false
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .file(path: path, reason: "doesn't exist")
    }
    guard isFolder.boolValue else { throw .file(path: path, reason: "isn't a folder") }
  }

  /// The bytes of the file that a request names, with its media type; `nil` if the folder has no such file.
  ///
  /// - Parameter sentName: The part of the request's path that matches the `*` of the stub's path, as sent.
  package func content(ofFileNamed sentName: String) -> (data: Data, type: String)? {
    // Each segment is decoded separately: an encoded slash would be part of a name, and no file name has one.
    let segments = sentName.split(separator: "/", omittingEmptySubsequences: false).map(PercentEncoding.decoded)
    guard segments.allSatisfy({ !$0.contains("/") && !$0.contains("\0") && !$0.isEmpty }) else { return nil }
    let name = segments.joined(separator: "/")
    return (try? data(of: name)).map { ($0, MediaType.of(name)) }
  }

  /// The bytes of a file in the folder; no name leads out of it.
  func data(of name: String) throws(StubError) -> Data {
    let file = url.appending(path: name)
    let path = file.path(percentEncoded: false)
    let segments = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.contains("\0"), !segments.contains(".."), !name.hasPrefix("/") else {
      throw .file(path: path, reason: "is outside of its folder")
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .file(path: path, reason: "doesn't exist")
    }
    guard !isFolder.boolValue else { throw .file(path: path, reason: "is a folder") }
    // Symbolic links are followed if they stay inside.
    let real = file.resolvingSymlinksInPath().standardizedFileURL.pathComponents
    guard real.starts(with: url.resolvingSymlinksInPath().standardizedFileURL.pathComponents) else {
      throw .file(path: path, reason: "is a link that leads out of its folder")
    }
    guard Self.isRegularFile(path) else { throw .file(path: path, reason: "isn't a regular file") }
    do {
      return try Data(contentsOf: file)
    } catch {
      throw .file(path: path, reason: "can't be read: \(error.localizedDescription)")
    }
  }

  /// Whether it isn't a pipe or a device, which may never end.
  private static func isRegularFile(_ path: String) -> Bool {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}

/// Media types by file extension.
enum MediaType {
  /// The media type of a file; `application/octet-stream` for an unknown extension.
  static func of(_ name: String) -> String {
    let parts = name.split(separator: "/").last?.split(separator: ".") ?? []
    guard parts.count > 1, let fileExtension = parts.last else { return unknown }
    return types[fileExtension.lowercased()] ?? unknown
  }

  private static let unknown = "application/octet-stream"

  private static let types = [
    "aac": "audio/aac", "avif": "image/avif", "bin": unknown, "bmp": "image/bmp", "css": "text/css; charset=utf-8",
    "csv": "text/csv; charset=utf-8", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic",
    "htm": "text/html; charset=utf-8",
    "html": "text/html; charset=utf-8", "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8", "json": "application/json", "m3u8": "application/vnd.apple.mpegurl",
    "m4a": "audio/mp4", "md": "text/markdown; charset=utf-8", "mov": "video/quicktime", "mp3": "audio/mpeg",
    "mp4": "video/mp4", "mpd": "application/dash+xml", "ogg": "audio/ogg", "otf": "font/otf", "pdf": "application/pdf",
    "plist": "application/x-plist", "png": "image/png", "svg": "image/svg+xml", "tiff": "image/tiff",
    "ts": "video/mp2t", "ttf": "font/ttf", "txt": "text/plain; charset=utf-8", "wasm": "application/wasm",
    "wav": "audio/wav", "webm": "video/webm", "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
    "xml": "application/xml", "zip": "application/zip",
  ]
}
