import Foundation
import TrackingModel
import TrackingRules

/// Reserves a folder for the recording of one test, by flock(2).
///
/// The system releases the lock when the process exits. Where the file system has no locks, each recorder works as if it were alone.
final class FolderLock: Sendable {
  private let folder: URL
  private let descriptor: Locked<Int32>
  /// The tests that have written recordings in this process, by path.
  private static let writers = Locked<[String: String]>([:])

  /// Locks a folder, creating it if necessary; `test` may replace its own recording, and is empty for a recorder of no test.
  ///
  /// Throws `RecordingError` if another test uses the folder or has written it in this run, or if it can't be written.
  init(_ folder: URL, for test: String) throws {
    let path = folder.path(percentEncoded: false)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw RecordingError("\(path) can't be made: \(FileReason.of(error))")
    }
    guard access(path, W_OK) == 0 else {
      throw RecordingError("\(path) can't be written: \(String(cString: strerror(errno))).")
    }
    let opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened < 0 || flock(opened, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(opened)
      throw RecordingError(
        test.isEmpty
          ? "another recorder is recording into \(path): end it, or name another folder."
          : "another test is recording into \(path). \(Self.advice)")
    }
    (self.folder, descriptor) = (folder, Locked(opened))
    try Self.check(folder, for: test)
  }

  deinit { release() }

  private static let advice =
    "Each recording belongs to one test: leave its name out, which is then the test's, or record one test with --filter; then several tests may replay it."

  /// Refuses a folder that another test of this run has written.
  static func check(_ folder: URL, for test: String) throws {
    let index = RecordingFormat.path(folder)
    let isOfAnotherTest =
      if let writer = writers.withLock({ $0[key(folder)] }) {
        writer != test
      } else if let start = TestRun.start,
        let date = (try? FileManager.default.attributesOfItem(atPath: index))?[.modificationDate] as? Date
      {
        // By another process of this run.
        date >= start
      } else {
        false
      }
    guard isOfAnotherTest else { return }
    throw RecordingError("\(folder.path(percentEncoded: false)) was recorded by another test already. \(advice)")
  }

  private static func key(_ folder: URL) -> String { folder.resolvingSymlinksInPath().path(percentEncoded: false) }

  func note(_ test: String) {
    Self.writers.withLock { $0[Self.key(folder)] = test }
  }

  /// Removes the folder if it is empty, and lets others use it.
  func release() {
    descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return }
      rmdir(folder.path(percentEncoded: false))
      close(descriptor)
      descriptor = -1
    }
  }
}
