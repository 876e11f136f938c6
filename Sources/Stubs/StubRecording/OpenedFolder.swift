import Foundation
import TrackingModel

/// The folder of a recorder, with the recording in it and the mode of its use.
struct OpenedFolder {
  let mode: RecordingMode
  /// The folder's recording.
  let found: RecordingRun.Found
  /// The recorded answers that are replayed.
  private(set) var stubs = StubTable()
  /// The backends' origins by path or host.
  private(set) var upstreams: [String: String]

  /// - Throws: `RecordingError` for a mode or a folder that can't be used.
  init(_ folder: URL, _ setup: RecordingSetup, environment: [String: String]) throws {
    let wanted = try RecordingMode(environment: environment)
    guard wanted != .replay else {
      try self.init(folder, setup, wanted)
      return
    }
    // Another process may be writing it.
    self = try FolderLock.withTurn(at: folder) { try OpenedFolder(folder, setup, wanted) }
  }

  private init(_ folder: URL, _ setup: RecordingSetup, _ wanted: RecordingMode) throws {
    upstreams = setup.upstreams
    found = RecordingRun.find(folder)
    switch wanted {
    // Another test of this run has just recorded; this one adds to it.
    case .once: mode = found.index != nil && !RecordingRun.hasWritten(folder) ? .replay : .rewrite
    case .replay, .rewrite: mode = wanted
    }
    if found.index == nil { try Self.check(folder, mode) }
    guard mode != .rewrite, found.index != nil else { return }
    let recording = try found.recording ?? BackendRecording(contentsOf: folder)
    if upstreams.isEmpty { upstreams = recording.upstreams }
    for stub in recording.stubs {
      do throws(StubError) {
        stubs.install(try PreparedStub(stub, folder: nil))
      } catch {
        throw RecordingError("the recorded answer to \(stub) can't be replayed: \(error).")
      }
    }
  }

  /// Checks a folder without a recording.
  private static func check(_ folder: URL, _ mode: RecordingMode) throws {
    let path = folder.path(percentEncoded: false)
    guard mode != .replay else {
      // On a device the folder of the test's source isn't there.
      let isElsewhere = !FileManager.default.fileExists(
        atPath: folder.deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false))
      let advice =
        isElsewhere
        ? "Its folder isn't on this machine: add Recordings to the resources of the test target, and say in: .bundle(.module)."
        : "Record it with \(TestVariable.record.name)=once (xcodebuild: TEST_RUNNER_\(TestVariable.record.name)=once), against the real backend."
      throw RecordingError("there is no recording at \(path). \(advice)")
    }
    // The index is written last, so a recorder that was killed has left bodies and entries.
    let left = RecordingFiles.existing(in: folder).filter { name in
      name.hasPrefix("\(RecordingFiles.bodiesFolder)/") || BackendRecording.isEntry(name, in: folder)
    }
    let own = Set(left.map { String($0.prefix { $0 != "/" }) })
    // Hidden files, such as .gitkeep and .DS_Store, don't count.
    let content = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { !$0.hasPrefix(".") && !own.contains($0) }
    guard content.isEmpty else {
      throw RecordingError(
        "\(path) has files and no \(BackendRecording.indexName), so it isn't a recording: choose another folder.")
    }
  }
}
