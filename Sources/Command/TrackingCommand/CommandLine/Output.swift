import Foundation
import TrackingJSON
import TrackingModel

/// The output of a verb, whose destinations tests replace.
package struct Output {
  /// Receives the result as text; a thrown error ends the verb.
  package var standard: (String) throws -> Void
  package var error: (String) -> Void
  /// Whether standard output is a terminal, which control characters in a text could affect.
  package var isTerminal = false
  package var hasColors = false
  /// The columns of a page of help.
  package var columns = 80

  package init(standard: @escaping (String) throws -> Void, error: @escaping (String) -> Void) {
    self.standard = standard
    self.error = error
  }

  /// The process's standard output and standard error.
  package static var process: Output {
    var output = Output(standard: { StandardStreams.write($0) }, error: { StandardStreams.warn($0) })
    output.isTerminal = isatty(STDOUT_FILENO) == 1
    output.hasColors = output.isTerminal && allowsColors
    if output.isTerminal, let columns = Self.columnsOfTerminal { output.columns = min(max(columns, 40), 100) }
    return output
  }

  /// The same output with the result on standard error, for a verb whose standard output is a command's.
  var onStandardError: Output {
    var output = self
    output.standard = error
    output.isTerminal = isatty(STDERR_FILENO) == 1
    output.hasColors = output.isTerminal && Self.allowsColors
    return output
  }

  // https://no-color.org
  private static var allowsColors: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["TERM"] != "dumb" && environment["NO_COLOR"]?.isEmpty ?? true
  }

  /// The columns of the terminal, unless it doesn't know them.
  private static var columnsOfTerminal: Int? {
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// Writes to standard output; throws the reason of a failure.
  private func write(_ text: String) throws(Unwritten) {
    do {
      try standard(text)
    } catch {
      throw Unwritten(reason: FileReason.of(error))
    }
  }

  /// Writes a document unchanged to a file or a pipe, and with controls as code points to a terminal.
  func text(_ text: String) throws(Unwritten) { try write(isTerminal ? text.printable : text) }

  /// Writes a page of help.
  func help(_ parts: [HelpPart]) throws(Unwritten) { try text(HelpPart.page(parts, width: columns)) }

  enum Color: Int {
    case red = 31
    case yellow = 33
  }

  /// Writes a line of the result, with controls and line breaks as code points.
  ///
  /// A build service reads a line such as `::error::` as a command, so an app's text must not begin one.
  func line(_ text: String, in color: Color? = nil) throws(Unwritten) {
    guard let color, hasColors else { return try write(text.onOneLine + "\n") }
    try write("\u{1B}[\(color.rawValue)m\(text.onOneLine)\u{1B}[0m\n")
  }

  /// Writes a message to standard error, with controls and line breaks as code points, because it may contain a file's or an app's text.
  func say(_ text: String) { error(text.onOneLine + "\n") }

  /// Writes a message of several lines so that build services read none of them as a command.
  func say(lines text: String) {
    error(text.printable.replacing(/(?m)^(\s*)(?:::|##)/) { "\($0.1)\\u{3a}" + $0.0.suffix(1) } + "\n")
  }

  func json(_ value: JSONTree) throws(Unwritten) { try text(value.text(.lines) + "\n") }

  /// Writes an object as one line of JSON, without members that are `nil`.
  func jsonLine(_ members: KeyValuePairs<String, (any TrackingValueConvertible)?>) throws(Unwritten) {
    let values = members.compactMap { name, value in value.map { (name, $0.trackingValue) } }
    let object = TrackingValue.object(Dictionary(values.filter { $1 != .null }) { $1 })
    try text(JSONTree(of: object).text(.compact) + "\n")
  }

  /// Writes a file, or standard output for `-`.
  func write(_ text: String, to path: String) throws {
    guard path != "-" else { return try self.text(text) }
    try WrittenFile(path).write(Data(text.utf8))
  }

  /// Reports the failed checks of a verb.
  func status(of failures: [String], _ verb: String) -> Status {
    for failure in failures { say("tracking \(verb): \(failure)") }
    return failures.isEmpty ? .success : .findings
  }
}

/// The reason that standard output can't be written.
struct Unwritten: Error, CustomStringConvertible {
  let reason: String

  init(reason: String) {
    self.reason = reason
  }

  init(errno: Int32) {
    reason = String(cString: strerror(errno))
  }

  var description: String { "standard output can't be written: \(reason)" }
}

/// The process's standard output and standard error, unbuffered because a script may wait for a line.
///
/// Foundation's `FileHandle` ends the process when the reader is gone or the disk is full, and `print` reports neither.
enum StandardStreams {
  /// The error that ended writing to standard output.
  nonisolated(unsafe) private(set) static var problem: Int32?

  /// Writes to standard output, unless that has failed before.
  static func write(_ text: String) {
    guard problem == nil, let errno = write(text, to: STDOUT_FILENO) else { return }
    problem = errno
    // Without a reader, a command that runs until it is stopped has no reason to continue.
    Interruption.request()
  }

  /// Writes to standard error if possible.
  static func warn(_ text: String) {
    _ = write(text, to: STDERR_FILENO)
  }

  /// Returns the `errno` of a failure.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      // The reader of a pipe may be stuck, or a terminal paused: a command that is to end then omits the rest.
      guard Interruption.allowsWriting(to: descriptor) else { return nil }
      let count = bytes.prefix(Int(PIPE_BUF)).withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR, errno != EAGAIN {
        return errno
      }
    }
    return nil
  }

  /// Opens the standard descriptors that the caller has closed, so that no file or socket gets their numbers.
  static func fillClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDWR)
    }
  }
}
