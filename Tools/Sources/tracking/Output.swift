import ArgumentParser
import Foundation
import TrackingModel
import TrackingPlanKit

/// Standard output and standard error: written at once, because a script may wait for a line.
///
/// Foundation's `FileHandle` ends the process when the reader is gone or the disk is full, and `print` reports neither.
enum Output {
  /// The error that ended writing to standard output.
  nonisolated(unsafe) private(set) static var problem: Int32?

  /// Writes to standard output, unless that has failed before.
  static func write(_ text: String) {
    guard problem == nil, let errno = write(text, to: STDOUT_FILENO) else { return }
    problem = errno
    // Without a reader, a command that runs until it is told to stop has no reason to continue.
    Interruption.request()
  }

  /// Writes a document to standard output: as it is for a file or a pipe, and with controls as code points for a terminal.
  static func document(_ text: String) {
    write(isatty(STDOUT_FILENO) == 1 ? text.printable : text)
  }

  /// Writes a line of the result to standard output, with controls and line breaks as code points.
  ///
  /// A build server takes a line such as `::error::` as a command, so an app's text must not begin one.
  static func line(_ text: String) {
    write("\(text.onOneLine)\n")
  }

  /// Writes to standard error, as far as that is possible.
  static func remark(_ text: String) {
    _ = write(text, to: STDERR_FILENO)
  }

  /// - Returns: The `errno` of a failure.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      // The reader of a pipe may be stuck, or a terminal paused: a command that is told to stop then leaves out the rest.
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

/// Writes text to standard error, with controls as code points; a name that an app sent goes through `onOneLine` first.
func say(_ text: String) {
  Output.remark("\(text.printable)\n")
}

/// A value as one line of JSON, on standard output, or as a document with `pretty`.
func showJSON(_ value: some TrackingValueConvertible, pretty: Bool = false) {
  let encoder = JSONEncoder()
  encoder.outputFormatting =
    pretty ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value.trackingValue) else { return }
  Output.document("\(String(decoding: data, as: UTF8.self))\n")
}

/// An object as one line of JSON, on standard output; members that are `nil` are left out.
func showJSON(_ members: KeyValuePairs<String, any TrackingValueConvertible>) {
  let values = members.map { ($0, $1.trackingValue) }.filter { $1 != .null }
  showJSON(TrackingValue.object(Dictionary(values) { $1 }))
}

/// Writes the reason for an early exit to standard error.
///
/// - Returns: The status that it ends with.
func refusal(_ reason: String) -> ExitCode {
  say(reason)
  return Status.badInput
}

/// Does the work of a verb; an error ends the command with its words.
func refusing<Result>(_ verb: String, _ work: () throws -> Result) throws -> Result {
  do {
    return try work()
  } catch let code as ExitCode {
    throw code
  } catch {
    throw refusal("tracking \(verb): \(error)")
  }
}
