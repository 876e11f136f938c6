import TrackingModel
import Foundation

/// The recordings that this run of the tests has written: its tests share them, and each adds what it has seen.
///
/// A run is this process, or all processes of one `swift test`.
enum RecordingRun {
  /// The recording that a folder had when a test began.
  struct Found: Sendable {
    let index: Data?
    /// `nil` also if it can't be read: then it can be replaced, but nothing can be added to it.
    let recording: BackendRecording?
  }

  /// The state of a folder in this process.
  private struct Folder: Sendable {
    /// The start of a run that isn't all of this process.
    var beginning: Date?
    /// The recording that this run replaces.
    var original: BackendRecording?
    /// The exchanges that this process has written, as they were before redaction; `nil` if it has written none.
    var exchanges: [RecordedExchange]?
    /// The exchanges that this process has written, as they are in the folder.
    var written: [RecordedExchange] = []
  }

  private static let folders = Locked<[String: Folder]>([:])

  private static func key(_ folder: URL) -> String { folder.standardizedFileURL.path(percentEncoded: false) }

  /// Begins another run in this process.
  static func forget(_ folder: URL) {
    FolderLock.release(folder)
    try? FileManager.default.removeItem(at: copy(of: folder))
    folders.withLock { $0[key(folder)] = Folder(beginning: Date()) }
  }

  static func find(_ folder: URL) -> Found {
    let index = try? Data(contentsOf: folder.appending(path: BackendRecording.indexName))
    return Found(index: index, recording: index == nil ? nil : try? BackendRecording(contentsOf: folder))
  }

  /// Whether this run has written the recording in a folder.
  static func hasWritten(_ folder: URL) -> Bool {
    let known = folders.withLock { $0[key(folder)] }
    if known?.exchanges != nil { return true }
    guard let start = TestRun.start else { return false }
    let path = folder.appending(path: BackendRecording.indexName).path(percentEncoded: false)
    let written = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    return written.map { $0 >= max(start, known?.beginning ?? start) } ?? false
  }

  /// Writes exchanges.
  ///
  /// - Parameter found: The folder's recording when the test began.
  /// - Returns: The recording in the folder.
  static func write(
    _ fresh: [RecordedExchange], _ setup: RecordingSetup, to folder: URL, found: Found
  ) throws -> BackendRecording.Written {
    try FolderLock.withTurn(at: folder) { try replace(found, find(folder), with: fresh, setup, in: folder) }
  }

  /// The recording that this run replaces.
  ///
  /// The run's first process keeps a copy of it for the others, because unchanged exchanges stay as they were.
  private static func original(of folder: URL, isOfThisRun: Bool) -> BackendRecording? {
    let copy = copy(of: folder)
    if isOfThisRun { return isOwn(copies) ? find(copy).recording : nil }
    let original = find(folder).recording
    guard TestRun.id != nil else { return original }
    removeCopies(in: copies)
    // Without the copy, unchanged exchanges only get new times and numbers.
    try? FileManager.default.createDirectory(
      at: copies, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard original != nil, isOwn(copies) else { return original }
    try? FileManager.default.removeItem(at: copy)
    try? FileManager.default.createDirectory(
      at: copy.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try? FileManager.default.copyItem(at: folder, to: copy)
    return original
  }

  /// The folder with a folder of copies for each run.
  private static let copies = FileManager.default.temporaryDirectory.appending(path: "StubRecording-\(getuid())")

  private static func copy(of folder: URL) -> URL {
    let name = EntityTag.of(Array(key(folder).utf8)).filter(\.isHexDigit)
    return copies.appending(path: "\(TestRun.id ?? "")/\(name)")
  }

  /// Removes the copies of runs that have ended: no process of a run knows whether it is the last one.
  static func removeCopies(in copies: URL) {
    guard isOwn(copies) else { return }
    for id in (try? FileManager.default.contentsOfDirectory(atPath: copies.path)) ?? []
    where id.wholeMatch(of: /[0-9]+-[0-9]+/) != nil && TestRun.hasEnded(id) {
      try? FileManager.default.removeItem(at: copies.appending(path: id))
    }
  }

  /// Whether a folder is a real one of this user: others can put a link or a folder of theirs at a name that is known in advance.
  private static func isOwn(_ folder: URL) -> Bool {
    var entry = stat()
    guard lstat(folder.path, &entry) == 0 else { return false }
    return entry.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR) && entry.st_uid == getuid()
  }

  /// Writes what this run has recorded in place of an earlier recording.
  private static func replace(
    _ found: Found, _ current: Found, with fresh: [RecordedExchange], _ setup: RecordingSetup, in folder: URL
  ) throws -> BackendRecording.Written {
    let isOfThisRun = hasWritten(folder)
    return try folders.withLock { folders in
      var known = folders[key(folder)] ?? Folder()
      // Replacing it would remove what another run has just recorded.
      guard isOfThisRun || current.index == found.index else {
        throw RecordingError(
          "\(folder.path(percentEncoded: false)) was written by another process since this test began, and nothing is written now. \(FolderLock.advice)"
        )
      }
      if known.exchanges == nil { known.original = original(of: folder, isOfThisRun: isOfThisRun) }
      let others = isOfThisRun ? (current.recording?.exchanges ?? []).without(known.written) : []
      let earlier = others + (known.exchanges ?? [])
      var recording = BackendRecording()
      if isOfThisRun, let current = current.recording {
        (recording.upstreams, recording.paths, recording.headers) = (current.upstreams, current.paths, current.headers)
      }
      recording.add(setup)
      recording.exchanges = earlier + fresh
      let written = try recording.write(
        to: folder, setup.redaction, insteadOf: known.original, repeating: earlier.count)
      let own = written.kept.indices.filter { written.kept[$0] >= others.count }
      known.exchanges = own.map { (earlier + fresh)[written.kept[$0]] }
      known.written = own.map { written.exchanges[$0] }
      folders[key(folder)] = known
      return written
    }
  }
}
