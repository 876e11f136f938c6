import Foundation
import TrackingModel

/// A file that a verb writes, which replaces an earlier one as a whole or not at all.
///
/// The file of a link is replaced, not the link. Devices and pipes, such as `/dev/stdout`, are written as they are.
struct WrittenFile {
  let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Creates missing folders, and writes the file.
  ///
  /// - Throws: ``CommandError`` with the system's reason.
  func write(_ data: Data) throws(CommandError) {
    do {
      guard let target = try target else { return try append(data) }
      try replace(target, with: data)
    } catch {
      throw CommandError("\(path) can't be written: \((error as? Failure)?.description ?? FileReason.of(error))")
    }
  }

  /// Whether ``write(_:)`` can write the file, unless it must create a folder.
  var isWritable: Bool {
    guard let target = try? target else { return access(path, W_OK) == 0 }
    return access(access(target, F_OK) == 0 ? target : Self.folder(of: target).path, W_OK) == 0
  }

  /// A path beside a file that no other write uses, in this process or another one.
  static func part(of path: String) -> String { "\(path).\(UUID.random().uuidString.prefix(8))" }

  private struct Failure: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: strerror(code)) }

    init() { code = errno }
  }

  private static func folder(of path: String) -> URL { URL(fileURLWithPath: path).deletingLastPathComponent() }

  /// Whether a path leads to a descriptor of a process, which looks like a link to the opened file on Linux and like that file on Darwin.
  private static func isDescriptor(_ path: String) -> Bool {
    let folder = folder(of: path).resolvingSymlinksInPath().path + "/"
    return folder.hasPrefix("/dev/fd/") || folder.hasPrefix("/proc/")
  }

  /// The path of the regular or new file, with its links resolved; `nil` for other files and for descriptors of a process.
  private var target: String? {
    get throws {
      var path = self.path
      // As many links as the system follows.
      for _ in 0..<40 {
        if Self.isDescriptor(path) { return nil }
        var info = stat()
        guard lstat(path, &info) == 0 else { return path }
        switch info.st_mode & mode_t(S_IFMT) {
        case mode_t(S_IFREG): return path
        case mode_t(S_IFLNK):
          let next = try FileManager.default.destinationOfSymbolicLink(atPath: path)
          path = next.hasPrefix("/") ? next : Self.folder(of: path).path + "/" + next
        default: return nil
        }
      }
      return nil
    }
  }

  /// Writes to an existing file, device or pipe, behind what another writer of a descriptor has written.
  private func append(_ data: Data) throws {
    try write(data, to: open(path, O_WRONLY | O_APPEND | O_CLOEXEC))
  }

  private func replace(_ target: String, with data: Data) throws {
    let folder = Self.folder(of: target)
    if !FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let part = Self.part(of: target)
    let opened = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard opened >= 0 else {
      let failure = Failure()
      // A file in a folder that isn't writable, or that is a mount point, can only be written in place.
      guard [EACCES, EPERM, EROFS].contains(failure.code), access(target, W_OK) == 0 else { throw failure }
      return try write(data, to: open(target, O_WRONLY | O_TRUNC | O_CLOEXEC))
    }
    defer { unlink(part) }
    var info = stat()
    if stat(target, &info) == 0 {
      fchmod(opened, info.st_mode & 0o7777)
      guard access(target, W_OK) == 0 else {
        defer { close(opened) }
        throw Failure()
      }
    }
    try write(data, to: opened)
    guard rename(part, target) != 0 else { return }
    guard errno == EBUSY else { throw Failure() }
    try write(data, to: open(target, O_WRONLY | O_TRUNC | O_CLOEXEC))
  }

  /// Writes to a descriptor and closes it.
  private func write(_ data: Data, to descriptor: Int32) throws {
    guard descriptor >= 0 else { throw Failure() }
    do {
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: data)
    } catch {
      close(descriptor)
      throw error
    }
    // Some file systems report a full disk only now.
    guard close(descriptor) == 0 || errno == EINTR else { throw Failure() }
  }
}
