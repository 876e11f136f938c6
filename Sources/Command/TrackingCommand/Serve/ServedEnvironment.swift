import Foundation
import TrackingModel

/// A file with the addresses of a running `serve`, as shell variables: `. ./serve.env`.
///
/// The server locks it with flock(2), so that no other server takes it; the system releases the lock however the process ends. If the file system has
/// no locks, the next server takes the file. Not thread-safe.
final class ServedEnvironment {
  /// The first line, which identifies such a file.
  private static let title = "# Written by `tracking serve`, which removes it at its end."
  private static let checks = TestVariable.serve.name

  private let file: String
  /// The written and locked file.
  private var descriptor: Int32?

  /// Removes the file of a killed server, so that no script uses its addresses.
  ///
  /// - Throws: ``CommandError`` for the file of a running server, or a file of another kind.
  init(_ file: String) throws(CommandError) {
    self.file = file
    try removeLeftover()
  }

  /// The variables: the app's, and the URL of checks, as a whole and in two parts.
  static func variables(_ app: TrackingEndpoint, checks: String) -> [(String, String)] {
    let parts = checks.components(separatedBy: "#token=")
    return app.launchEnvironment.sorted { $0.key > $1.key }.map { ($0.key, $0.value) }
      + [
        (Self.checks, checks), (TestVariable.serveURL.name, parts[0]),
        (TestVariable.serveToken.name, parts.last ?? ""),
      ]
  }

  /// Writes the file for the current user only, because it has the token, and atomically, because a script may wait for it.
  ///
  /// - Throws: ``CommandError`` if it can't be written, or if another server has written it since.
  func write(_ variables: [(String, String)]) throws(CommandError) {
    // No value contains a quotation mark.
    let lines = [Self.title] + variables.map { "export \($0)='\($1)'" }
    let text = Data("\(lines.joined(separator: "\n"))\n".utf8)
    let part = WrittenFile.part(of: file)
    let opened = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard opened >= 0 else { throw unwritable(Self.reason) }
    flock(opened, LOCK_EX | LOCK_NB)
    do {
      try FileHandle(fileDescriptor: opened, closeOnDealloc: false).write(contentsOf: text)
    } catch {
      remove(part, opened)
      throw unwritable(FileReason.of(error))
    }
    // A link doesn't replace another server's file. If the file system has no links, the last server wins.
    guard link(part, file) == 0 || errno == EPERM && rename(part, file) == 0 else {
      let reason = Self.reason
      let isTaken = errno == EEXIST
      remove(part, opened)
      if isTaken { try removeLeftover() }
      throw unwritable(reason)
    }
    unlink(part)
    descriptor = opened
  }

  /// Removes the file, unless another one has replaced it.
  func remove() {
    guard let descriptor else { return }
    self.descriptor = nil
    remove(file, descriptor)
  }

  /// Removes the file at a path if it is the opened one, and closes the opened one.
  private func remove(_ path: String, _ opened: Int32) {
    if Self.isFile(at: path, opened) { unlink(path) }
    close(opened)
  }

  private func removeLeftover() throws(CommandError) {
    // Doesn't block on the writer of a pipe.
    let opened = open(file, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else {
      guard errno == ENOENT else { throw failure(Self.reason) }
      return
    }
    let text = Self.isRegular(opened) ? (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" : ""
    guard text.hasPrefix(Self.title) else {
      close(opened)
      throw failure("there is another file, which `tracking serve` hasn't written")
    }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(opened)
      let url = Self.value(of: TestVariable.serveURL.name, in: text).map {
        " at \($0.dropLast(CheckService.path.count))"
      }
      throw failure("the running `tracking serve`\(url ?? "") has written it; end that one, or name another file")
    }
    // Only the process with the lock removes the file, so the file at the path is still this one, or is gone.
    remove(file, opened)
  }

  private func failure(_ reason: String) -> CommandError { CommandError("--write-env \(file): \(reason)") }

  private func unwritable(_ reason: String) -> CommandError {
    CommandError("--write-env \(file) can't be written: \(reason)")
  }

  private static var reason: String { String(cString: strerror(errno)) }

  private static func isRegular(_ descriptor: Int32) -> Bool {
    var info = stat()
    return fstat(descriptor, &info) == 0 && info.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG)
  }

  private static func isFile(at path: String, _ descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return stat(path, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino
      && named.st_dev == opened.st_dev
  }

  static func checks(in file: String) throws(CommandError) -> String {
    let text: String
    do {
      text = try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      throw CommandError("--env \(file): \(FileReason.of(error))")
    }
    guard let value = value(of: checks, in: text) else {
      throw CommandError("--env \(file): it isn't a file of `tracking serve --write-env`")
    }
    return value
  }

  private static func value(of name: String, in text: String) -> String? {
    let start = "export \(name)='"
    let line = text.split(separator: "\n").first { $0.hasPrefix(start) }
    return line.map { String($0.dropFirst(start.count).dropLast()) }
  }
}
