import Foundation

package struct FolderFile: Sendable {
  package enum Content: Sendable {
    case bytes([UInt8])
    /// A larger file, which each response reads as it sends.
    case open(OpenFile)
  }

  package let content: Content
  package let type: String
  /// A small file's tag is derived from its content, a larger one's, which isn't read for that, from its time, identity and size.
  package let tag: String

  /// The largest file that is read at once, in bytes.
  private static let largestRead = 64 * 1_024

  fileprivate init?(_ name: String, at path: String) {
    type = MediaType.of(name)
    let attributes = (try? FileManager.default.attributesOfItem(atPath: path)) ?? [:]
    guard let size = (attributes[.size] as? NSNumber)?.intValue, size > Self.largestRead else {
      guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
      let bytes = [UInt8](data)
      (content, tag) = (.bytes(bytes), EntityTag.of(bytes))
      return
    }
    guard let file = OpenFile(path: path) else { return nil }
    let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
    let identity = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    let parts = [changed.bitPattern, identity, UInt64(clamping: file.count)].map { String($0, radix: 16) }
    (content, tag) = (.open(file), "\"\(parts.joined(separator: "-"))\"")
  }

  /// In bytes.
  package var count: Int {
    switch content {
    case .bytes(let bytes): bytes.count
    case .open(let file): file.count
    }
  }

  /// Returns fewer bytes if a file can't be read or has become shorter.
  package func data(in range: Range<Int>) -> Data {
    switch content {
    case .bytes(let bytes): return Data(bytes[range])
    case .open(let file):
      var data = Data(count: range.count)
      let count = data.withUnsafeMutableBytes { file.read(into: $0, at: range.lowerBound) }
      return count == data.count ? data : data.prefix(count)
    }
  }
}

extension StubFolder {
  /// The file that a request names by the text that matches the `*` of the stub's path, as sent; `nil` if there is none.
  package func file(named sentName: String) -> FolderFile? {
    // Decoded segment by segment: an encoded slash would be part of a name, and no file's name has one.
    let segments = sentName.split(separator: "/", omittingEmptySubsequences: false).map(PercentEncoding.decoded)
    guard segments.allSatisfy({ !$0.contains("/") && !$0.contains("\0") && !$0.isEmpty }) else { return nil }
    let name = segments.joined(separator: "/")
    return (try? path(of: name)).flatMap { FolderFile(name, at: $0) }
  }
}

extension StubFile {
  /// The file for a response that reads it while sending; `nil` if it must be checked first, or can't be read.
  ///
  /// `standard` is the folder of a file without one.
  package func opened(from standard: StubFolder?) -> FolderFile? {
    guard !isJSON, let folder = folder ?? standard else { return nil }
    return (try? folder.path(of: name)).flatMap { FolderFile(name, at: $0) }
  }
}
