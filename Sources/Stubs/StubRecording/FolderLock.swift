import TrackingModel
import Foundation
import TrackingSockets

/// Locks of folders that processes record into, by flock(2).
///
/// The system releases them when a process ends. Where the file system has no locks, each process works as if it were alone.
enum FolderLock {
  /// The descriptors of the folders that this process has locked, by their paths.
  private static let held = Locked<[String: Int32]>([:])

  static let advice =
    "Only the processes of one `swift test` can record together: run swift test, with or without --parallel, turn Xcode's parallel testing off, or give each test class its own recording."

  /// Locks a folder until this process ends; makes it if it isn't there.
  ///
  /// - Parameter isShared: Whether other processes may record into it too, because their recordings are put together.
  /// - Throws: `RecordingError` if another process has locked it, or if it can't be written.
  static func hold(_ folder: URL, isShared: Bool) throws {
    let path = folder.path(percentEncoded: false)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw RecordingError("\(path) can't be made: \(error.localizedDescription)")
    }
    try held.withLock { held in
      guard held[key(folder)] == nil else { return }
      guard access(path, W_OK) == 0 else {
        throw RecordingError("\(path) can't be written: \(String(cString: strerror(errno))).")
      }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      guard flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0, errno == EWOULDBLOCK else {
        held[key(folder)] = descriptor
        return
      }
      close(descriptor)
      throw RecordingError("another process is recording into \(path). \(advice)")
    }
  }

  private static func key(_ folder: URL) -> String { folder.resolvingSymlinksInPath().path(percentEncoded: false) }

  static func release(_ folder: URL) {
    if let descriptor = held.withLock({ $0.removeValue(forKey: key(folder)) }) { close(descriptor) }
  }

  /// Removes the folder if nothing was written to it.
  static func removeIfEmpty(_ folder: URL) {
    held.withLock { held in
      // Before the folder is removed, because the links in its path can't be resolved afterwards.
      let key = key(folder)
      guard let descriptor = held[key], rmdir(folder.path(percentEncoded: false)) == 0 else { return }
      close(descriptor)
      held[key] = nil
    }
  }

  /// Runs a function while no other process does the same for this folder.
  static func withTurn<Result>(at folder: URL, _ body: () throws -> Result) throws -> Result {
    // The parent's lock: the folder's own is held for the whole run, and the folder may not exist yet.
    let descriptor = open(folder.deletingLastPathComponent().path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0, errno == EINTR {} }
    return try body()
  }
}
