import Foundation

/// The offsets of a text's line starts, which turn an offset into a line and a column.
///
/// Built only when a place is reported, so that the reader counts no lines.
package struct LineTable: Sendable {
  private var starts = [0]

  package init(_ text: UnsafeBufferPointer<UInt8>) {
    guard let base = text.baseAddress else { return }
    var offset = 0
    // memchr, since a loop over bytes costs a debug build more than reading them as JSON.
    while offset < text.count, let found = memchr(base + offset, 0x0A, text.count - offset) {
      offset = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
      starts.append(offset)
    }
  }

  /// Line and column of a byte, both from 1.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - starts[low] + 1)
  }
}
