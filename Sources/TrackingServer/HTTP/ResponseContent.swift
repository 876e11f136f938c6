import StubModel

/// The content of a response: bytes in memory, or a part of a file, which is read while it is sent.
package enum ResponseContent: Sendable {
  case bytes(ArraySlice<UInt8>)
  case file(OpenFile, Range<Int>)

  init(_ file: FolderFile) {
    self =
      switch file.content {
      case .bytes(let bytes): .bytes(bytes[...])
      case .open(let file): .file(file, 0..<file.count)
      }
  }

  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(_, let range): range.count
    }
  }

  var isEmpty: Bool { count == 0 }

  func part(_ part: Range<Int>) -> ResponseContent {
    switch self {
    case .bytes(let bytes): .bytes(bytes.dropFirst(part.lowerBound).prefix(part.count))
    case .file(let file, let range):
      .file(file, part.lowerBound + range.lowerBound..<part.upperBound + range.lowerBound)
    }
  }

  /// Reads the first bytes; fewer than requested if a file can't be read or has become shorter.
  func prefix(_ count: Int) -> ArraySlice<UInt8> {
    let part = part(0..<min(count, self.count))
    switch part {
    case .bytes(let bytes): return bytes
    case .file(let file, let range):
      return [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
        count = file.read(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
      }[...]
    }
  }
}
