import Foundation
import TrackingServer
import TrackingSockets

/// The inspector of all tests of a process: one address, whose page follows from test to test.
final class InspectorRun: Sendable {
  /// A singleton, since the tests of a process have nothing else in common; `nil` if its server can't be started.
  static let current = InspectorRun()

  /// Serves the page until the process ends; receives no events.
  private let host = TrackingServer(configuration: .init(requiresSession: true))
  let inspector: Inspector
  private let tests = InspectedTests()

  private init?() {
    inspector = Inspector(on: host, showing: tests)
    guard (try? host.start()) != nil, let url = inspector.url else { return nil }
    host.page.withLock { [inspector] in $0 = inspector }
    let file = Self.write(url).map { "\nThe address is also in \($0.path)" } ?? ""
    Inspector.say("The tests of this process are shown at\n\(url.absoluteString)\(file)")
  }

  func begin(_ server: TrackingServer, title: String) {
    server.sessionNotes.joinRun()
    tests.begin(server, title: title)
  }

  func end(_ server: TrackingServer) {
    tests.end(server)
    inspector.waitForPages(of: server)
  }

  /// Writes the address to a file that only this user can read, since a piped `swift test` shows its output only at the end.
  ///
  /// Returns the file, or `nil` if it can't be written.
  private static func write(_ url: URL) -> URL? {
    let (files, folder) = (
      FileManager.default,
      FileManager.default.temporaryDirectory.appendingPathComponent("tracking-inspector-\(getuid())", isDirectory: true)
    )
    try? files.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Addresses of processes that have ended are useless.
    for name in (try? files.contentsOfDirectory(atPath: folder.path)) ?? [] {
      guard let process = pid_t(name.dropLast(4)), name.hasSuffix(".url"), kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      try? files.removeItem(at: folder.appendingPathComponent(name))
    }
    let file = folder.appendingPathComponent("\(ProcessInfo.processInfo.processIdentifier).url")
    let isWritten = files.createFile(
      atPath: file.path, contents: Data("\(url.absoluteString)\n".utf8), attributes: [.posixPermissions: 0o600])
    return isWritten ? file : nil
  }
}
