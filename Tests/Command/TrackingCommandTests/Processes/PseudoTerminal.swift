import TestSupport

/// A pseudo-terminal: what a command gets as its terminal, and what a person would see of it.
struct PseudoTerminal {
  let inside: FileHandle
  private let outside: FileHandle

  init() throws {
    // `import Glibc` doesn't show them.
    guard let openTerminal = Self.function("posix_openpt", as: (@convention(c) (Int32) -> Int32).self),
      let grant = Self.function("grantpt", as: (@convention(c) (Int32) -> Int32).self),
      let unlock = Self.function("unlockpt", as: (@convention(c) (Int32) -> Int32).self),
      let name = Self.function("ptsname", as: (@convention(c) (Int32) -> UnsafeMutablePointer<CChar>?).self)
    else { throw XCTSkip("this system has no pseudo-terminals") }
    let descriptor = openTerminal(O_RDWR | O_NOCTTY)
    guard descriptor >= 0, grant(descriptor) == 0, unlock(descriptor) == 0, let path = name(descriptor) else {
      throw XCTSkip("this system gives no pseudo-terminal")
    }
    outside = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    inside = FileHandle(fileDescriptor: open(path, O_RDWR | O_NOCTTY), closeOnDealloc: true)
  }

  private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: type) }
  }

  /// Reads the text that was written to the screen since the last call.
  func read() -> String {
    var entry = pollfd(fd: outside.fileDescriptor, events: Int16(POLLIN), revents: 0)
    var data = Data()
    while poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLIN) != 0 {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = Foundation.read(outside.fileDescriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      data += bytes.prefix(count)
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Changes the terminal's width.
  func set(columns: Int) throws {
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(inside.fileDescriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXError(.EINVAL) }
  }

  /// The terminal's flags for input and output.
  var settings: [UInt] {
    var settings = termios()
    tcgetattr(inside.fileDescriptor, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag].map { UInt($0) }
  }
}
