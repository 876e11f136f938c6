import Foundation
import TrackingModel

struct OpenedFolder {
  /// Whether every request goes to the backend, and the recording is replaced.
  let records: Bool
  private(set) var stubs = StubTable()
  /// The backends' origins by path or host.
  private(set) var upstreams: [String: String]

  init(_ folder: URL, _ setup: RecordingSetup, for test: String, environment: [String: String]) throws {
    let mode = try RecordingMode(environment: environment)
    let path = RecordingFormat.path(folder)
    let exists = FileManager.default.fileExists(atPath: path)
    upstreams = setup.recording.upstreams
    records = mode == .rewrite || mode == .once && !exists
    guard !records else {
      if !exists { try Self.checkIsFree(folder) }
      try RecordingFiles.check(folder)
      return
    }
    guard exists else { throw Self.nothing(at: folder) }
    // The recording that another test has just made may not fit this one.
    if mode == .once { try FolderLock.check(folder, for: test) }
    let recording = try BackendRecording(contentsOf: folder)
    if upstreams.isEmpty { upstreams = recording.upstreams }
    for stub in recording.stubs {
      do throws(StubError) {
        stubs.install(try PreparedStub(stub, folder: nil))
      } catch {
        throw RecordingError("the recorded response to \(stub) can't be replayed: \(error).")
      }
    }
  }

  private static func nothing(at folder: URL) -> RecordingError {
    // On a device the folder of the test's source doesn't exist.
    let isElsewhere = !FileManager.default.fileExists(
      atPath: folder.deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false))
    let advice =
      isElsewhere
      ? "Its folder isn't on this machine: add Recordings to the resources of the test target, and say in: .bundle(.module)."
      : "Record it with \(TestVariable.record.name)=once (xcodebuild: TEST_RUNNER_\(TestVariable.record.name)=once), against the real backend."
    return RecordingError("there is no recording at \(folder.path(percentEncoded: false)). \(advice)")
  }

  /// Refuses a folder with other files, except hidden ones and the bodies of a recorder that was killed.
  private static func checkIsFree(_ folder: URL) throws {
    let path = folder.path(percentEncoded: false)
    let content = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { !$0.hasPrefix(".") && $0 != RecordingFormat.bodiesFolder }
    guard content.isEmpty else {
      throw RecordingError(
        "\(path) has files and no \(RecordingFormat.indexName), so it isn't a recording: choose another folder.")
    }
  }
}
