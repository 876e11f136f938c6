import TestSupport

/// A named pipe, which ends with the last process that has it open, whether or not its parent has waited for that process.
final class NamedPipe {
  let path: String
  private let reader: Int32

  init(at path: String) throws {
    self.path = path
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    reader = open(path, O_RDONLY | O_NONBLOCK)
    XCTAssertGreaterThanOrEqual(reader, 0)
    _ = fcntl(reader, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(reader) }

  /// Waits until no process has the pipe open for writing, after one had; returns `false` after half a minute.
  func end() -> Bool {
    var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&entry, 1, 30_000)
      guard count < 0, errno == EINTR else { return count > 0 && entry.revents & Int16(POLLHUP) != 0 }
    }
  }
}
