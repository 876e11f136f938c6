import Foundation

extension RecordingFiles {
  /// `GET books~42.json`, with a hash if a file system might not distinguish two names.
  static func names(of entries: [Entry]) -> [Entry: String] {
    var (names, taken): ([Entry: String], Set<String>) = ([:], [])
    for entry in entries.sorted() {
      let segments = entry.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
        $0.hasPrefix(":") ? $0.dropFirst() : $0
      }
      let path = entry.path == "/" ? "~" : segments.map(escaped).joined(separator: "~")
      let hash = EntityTag.of(Array("\(entry.method) \(entry.path)".utf8)).filter(\.isHexDigit)
      var name = "\(escaped(entry.method[...])) \(path)"
      if name.utf8.count > 120 { name = "\(name.prefix(100))-\(hash.prefix(8))" }
      if !taken.insert(name.lowercased()).inserted { name += "-\(hash.prefix(8))" }
      names[entry] = "\(name).json"
    }
    return names
  }

  /// Without the characters that a file system doesn't allow in names.
  private static func escaped(_ text: Substring) -> String {
    text.utf8.reduce(into: "") { name, byte in
      let isPlain = byte > 0x20 && byte < 0x7F && !#"<>:"/\|?*~"#.utf8.contains(byte)
      name += isPlain ? String(UnicodeScalar(byte)) : PercentEncoding.escape(byte)
    }
  }

  /// The file of a body, by its content.
  static func name(ofBody body: Data, type: String?) -> String {
    let hash = EntityTag.of([UInt8](body)).filter { $0.isHexDigit || $0 == "-" }
    return "\(bodiesFolder)/\(hash).\(MediaType.fileExtension(of: type))"
  }

  /// Whether a file has a name that a body could have.
  static func isNameOfBody(_ name: String) -> Bool {
    name.wholeMatch(of: /[0-9a-f]+-[0-9a-f]+\.[a-z0-9]+/) != nil
  }
}
