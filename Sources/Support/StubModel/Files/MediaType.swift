import Foundation

package enum MediaType {
  /// By file extension; `application/octet-stream` if it is unknown.
  static func of(_ name: String) -> String {
    let parts = name.split(separator: "/").last?.split(separator: ".") ?? []
    guard parts.count > 1, let fileExtension = parts.last else { return unknown }
    return types[fileExtension.lowercased()] ?? unknown
  }

  /// The usual extension of a media type; `bin` if it is unknown.
  package static func fileExtension(of type: String?) -> String {
    guard let type = type?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased() else {
      return "bin"
    }
    let matching = types.filter { $0.value.split(separator: ";").first?.lowercased() == type }.keys
    // Prefers `jpeg` to `jpg`.
    return matching.max { ($0.count, $1) < ($1.count, $0) } ?? (type.hasSuffix("json") ? "json" : "bin")
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
