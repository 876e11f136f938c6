import Foundation
import TrackingSockets

/// Locks by which processes that record into one folder know of each other (flock(2)). The system releases them when a process ends.
///
/// A file system without locks works as if each process were alone.
enum FolderLock {
  /// The descriptors of the folders that this process records into.
  private static let held = Locked<[String: Int32]>([:])

  static let advice =
    "Record in one process at a time: run swift test, with or without --parallel, or switch Xcode's parallel testing off; or give each test class a recording with a name of its own."

  /// Announces that this process records into a folder, which is made if it isn't there.
  ///
  /// - Parameter isShared: Whether other processes do the same in agreement with this one.
  /// - Throws: If a process that isn't in agreement records into it, or if it can't be written.
  static func hold(_ folder: URL, isShared: Bool) throws {
    let path = folder.path(percentEncoded: false)
    try held.withLock { held in
      guard held[path] == nil else { return }
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      } catch {
        throw RecordingError("\(path) can't be made: \(error.localizedDescription)")
      }
      guard access(path, W_OK) == 0 else {
        throw RecordingError("\(path) can't be written: \(String(cString: strerror(errno))).")
      }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      guard flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0, errno == EWOULDBLOCK else {
        held[path] = descriptor
        return
      }
      close(descriptor)
      throw RecordingError("another process is recording into \(path). \(advice)")
    }
  }

  /// Ends the announcement.
  static func release(_ folder: URL) {
    if let descriptor = held.withLock({ $0.removeValue(forKey: folder.path(percentEncoded: false)) }) {
      close(descriptor)
    }
  }

  /// Removes the folder if nothing was written to it.
  static func removeIfEmpty(_ folder: URL) {
    if rmdir(folder.path(percentEncoded: false)) == 0 { release(folder) }
  }

  /// Runs a function while no other process does the same for this folder.
  static func withTurn<Result>(at folder: URL, _ body: () throws -> Result) throws -> Result {
    // The folder's own lock is held for longer, and the folder may be new.
    let descriptor = open(folder.deletingLastPathComponent().path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0, errno == EINTR {} }
    return try body()
  }
}
