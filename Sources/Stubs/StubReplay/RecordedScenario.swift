import Foundation

/// A recorded backend as stubs: `verifier.install(RecordedScenario("checkout"))`.
///
/// ```swift
/// enum LaunchState: String, CaseIterable, StubScenario {
///   case checkout
///
///   // In the app: `-StubScenario checkout` then replays the recording from the app's resources.
///   var stubs: [StubEndpoint] { RecordedScenario("checkout", in: .bundle(.main)).stubs }
/// }
/// ```
///
/// An unreadable recording is refused when it is installed, with the file and the reason.
public struct RecordedScenario: StubScenario {
  /// The recording's name: the name of its folder.
  public let name: String
  /// The folder with the recording.
  public let folder: URL

  /// Creates a scenario from `Recordings/<name>` in a folder or in a bundle's resources; by default in the folder of the caller's source file.
  public init(_ name: String, in folder: StubFolder? = nil, file: StaticString = #filePath) {
    self.name = name
    let parent = folder?.url ?? URL(filePath: "\(file)").deletingLastPathComponent()
    self.folder = parent.appending(path: Self.folderName).appending(path: name, directoryHint: .isDirectory)
  }

  /// Creates a scenario from the recording in a folder.
  public init(contentsOf folder: URL) {
    name = folder.lastPathComponent
    self.folder = folder
  }

  static let folderName = "Recordings"

  var exists: Bool {
    FileManager.default.fileExists(
      atPath: folder.appending(path: RecordingFormat.indexName).path(percentEncoded: false))
  }

  /// The recording's stubs, in the order of installation.
  public var stubs: [StubEndpoint] {
    do {
      return try BackendRecording(contentsOf: folder).stubs
    } catch {
      return [StubEndpoint(.any, "/*", StubResponse(content: .invalid("\(error)")), name: "recording \"\(name)\"")]
    }
  }
}
