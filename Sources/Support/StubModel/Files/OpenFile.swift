import Foundation

/// A file that stays open for reading until the last response with it has been sent.
package final class OpenFile: Sendable {
  private let handle: FileHandle
  /// The file's size when it was opened, in bytes.
  package let count: Int

  init?(path: String) {
    guard let handle = FileHandle(forReadingAtPath: path), let end = try? handle.seekToEnd() else { return nil }
    self.handle = handle
    count = Int(clamping: end)
  }

  /// Reads bytes starting at a place, on any thread; returns how many, fewer than fit at the end of the file and after an error.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let read = pread(handle.fileDescriptor, base + done, buffer.count - done, off_t(place + done))
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { break }
      done += read
    }
    return done
  }
}
