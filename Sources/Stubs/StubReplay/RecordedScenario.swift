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
/// A recording that can't be read is refused when it is installed, with the file and the reason.
public struct RecordedScenario: StubScenario {
  /// The recording's name: the name of its folder.
  public let name: String
  /// The folder with the recording.
  public let folder: URL

  /// The recording `Recordings/<name>` in a folder or in a bundle's resources; by default in the folder of the caller's source file.
  public init(_ name: String, in folder: StubFolder? = nil, file: StaticString = #filePath) {
    self.name = name
    let parent = folder?.url ?? URL(filePath: "\(file)").deletingLastPathComponent()
    self.folder = parent.appending(path: Self.folderName).appending(path: name, directoryHint: .isDirectory)
  }

  /// The recording in a folder.
  public init(contentsOf folder: URL) {
    name = folder.lastPathComponent
    self.folder = folder
  }

  fileprivate static let folderName = "Recordings"

  fileprivate var exists: Bool {
    FileManager.default.fileExists(
      atPath: folder.appending(path: RecordingFormat.indexName).path(percentEncoded: false))
  }

  /// The stubs, in the order in which they are installed.
  public var stubs: [StubEndpoint] {
    do {
      return try BackendRecording(contentsOf: folder).stubs
    } catch {
      return [StubEndpoint(.any, "/*", StubResponse(content: .invalid("\(error)")), name: "recording \"\(name)\"")]
    }
  }
}

/// The recordings in the folder `Recordings` of the app's resources, by the names of their folders.
///
/// An app that has no scenarios replays the recording that `-StubScenario <name>` names:
///
/// ```swift
/// static let urlSession = StubbedSession(scenarios: BundledRecording.self)?.urlSession() ?? .shared
/// ```
public struct BundledRecording: StubScenario, CaseIterable, RawRepresentable, Hashable {
  /// The recording's name: the name of its folder.
  public let rawValue: String

  /// The recording with a name; `nil` if the app's resources have none of that name.
  public init?(rawValue: String) {
    self.init(rawValue, in: .bundle(.main))
  }

  init?(_ name: String, in folder: StubFolder) {
    guard !name.isEmpty, !name.contains("/"), RecordedScenario(name, in: folder).exists else { return nil }
    rawValue = name
  }

  /// The recordings, sorted by their names.
  public static var allCases: [BundledRecording] { all(in: .bundle(.main)) }

  static func all(in folder: StubFolder) -> [BundledRecording] {
    let recordings = folder.url.appending(path: RecordedScenario.folderName).path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: recordings)) ?? []
    return names.sorted().compactMap { BundledRecording($0, in: folder) }
  }

  /// The stubs, in the order in which they are installed.
  public var stubs: [StubEndpoint] { RecordedScenario(rawValue, in: .bundle(.main)).stubs }
}
