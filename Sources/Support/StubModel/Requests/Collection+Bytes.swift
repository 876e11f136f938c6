import Foundation

extension [UInt8] {
  /// The ranges must be in order and must not overlap.
  package func replacing(_ edits: [(range: Range<Int>, bytes: [UInt8])]) -> [UInt8] {
    guard !edits.isEmpty else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var start = 0
    for edit in edits {
      result += self[start..<edit.range.lowerBound]
      result += edit.bytes
      start = edit.range.upperBound
    }
    return result + self[start...]
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  package func firstRange(of wanted: [UInt8]) -> Range<Int>? {
    func search(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
      guard let first = wanted.first, let address = text.baseAddress else { return nil }
      var index = 0
      // In memory: a collection's own search takes a hundred times as long in a debug build.
      while let next = text.place(of: first, from: index), next + wanted.count <= text.count {
        if memcmp(address + next, wanted, wanted.count) == 0 { return next }
        index = next + 1
      }
      return nil
    }
    let found = withContiguousStorageIfAvailable(search) ?? Array(self).withUnsafeBufferPointer(search)
    return found.map { startIndex + $0..<startIndex + $0 + wanted.count }
  }
}

extension UnsafeBufferPointer<UInt8> {
  package func place(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let address = baseAddress, let found = memchr(address + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(address).distance(to: found)
  }
}

extension UInt8 {
  /// An ASCII letter or digit, compared one by one, because patterns of ranges are slow in debug builds.
  package var isLetterOrDigit: Bool {
    let letter = self | 0x20
    return letter >= 0x61 && letter <= 0x7A || self >= 0x30 && self <= 0x39
  }
}
