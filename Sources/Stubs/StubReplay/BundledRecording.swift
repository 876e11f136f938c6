import Foundation

/// The recordings in the folder `Recordings` of the app's resources, by the names of their folders.
///
/// An app without scenarios replays the recording that `-StubScenario <name>` names:
///
/// ```swift
/// static let urlSession = StubbedSession(scenarios: BundledRecording.self)?.urlSession() ?? .shared
/// ```
public struct BundledRecording: StubScenario, CaseIterable, RawRepresentable, Hashable {
  /// The recording's name: the name of its folder.
  public let rawValue: String

  /// Finds a recording by name; `nil` if the app's resources don't have it.
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

  /// The recording's stubs, in the order of installation.
  public var stubs: [StubEndpoint] { RecordedScenario(rawValue, in: .bundle(.main)).stubs }
}
