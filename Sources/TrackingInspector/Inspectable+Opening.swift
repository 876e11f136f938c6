import Foundation
import TrackingModel
import TrackingServer
import TrackingSockets

extension Inspectable {
  /// Serves the inspector's page beside the events, and prints its URL on standard error.
  ///
  /// ```swift
  /// verifier.openInspector()
  /// ```
  ///
  /// The page shows what arrives while it arrives, as long as the server runs. A server that is not running is started. The page reads and changes
  /// nothing. Its URL contains a token: without it, the page stays empty.
  ///
  /// - Parameter plan: A rule to check each event against, such as a tracking plan; a verifier's own plan by default. The page marks the events that
  ///   break it, and copies planned events as values of their generated types.
  /// - Returns: The URL; `nil` if the server can't be started.
  @discardableResult
  public func openInspector(plan: (any EventRule)? = nil) -> URL? {
    var inspection = inspection
    if let plan { inspection.rule = plan }
    return InspectorLinkage.open(inspection)
  }
}

/// The report of a session, for tools.
public enum InspectorReport {
  /// The inspector's page with a session in it: one HTML file that opens from disk, without a server.
  ///
  /// - Parameter session: The content of a `session.json`.
  public static func html(session: Data) -> String {
    InspectorPage.report(json: Array(session))
  }
}

/// What a verifier finds by its name.
final class InspectorLinkage: InspectorLink {
  static func open(_ inspection: Inspection) -> URL? {
    inspection.start()
    let server = inspection.server
    let (inspector, isNew) = inspector(of: server)
    if let rule = inspection.rule { server.notes.follow(rule) }
    server.notes.observe()
    guard let url = inspector.url else { return nil }
    if isNew { say("The tracking inspector is open at\n\(url.absoluteString)") }
    return url
  }

  static func report(_ document: SessionDocument) -> String { InspectorPage.report(document) }

  static func follow(_ server: TrackingServer, title: String) {
    InspectorRun.current?.begin(server, title: title)
  }

  static func finish(_ server: TrackingServer) {
    server.page.page.withLock { $0 as? Inspector }?.waitForPages(of: server)
    if server.notes.isFollowed { InspectorRun.current?.end(server) }
  }

  static func hold(_ server: TrackingServer, for seconds: TimeInterval, title: String) {
    let (inspector, _) = inspector(of: server)
    guard let url = inspector.url else { return }
    say(
      """
      \(title) has failed. Its app and server stay up for \(Int(seconds)) s, or until the inspector's page is closed:
      \(url.absoluteString)
      """)
    let (polls, deadline) = (inspector.polls, ContinuousClock.now + .seconds(min(max(seconds, 0), 86_400)))
    server.notes.hold(true)
    defer { server.notes.hold(false) }
    while ContinuousClock.now < deadline, !inspector.hasBeenClosed(since: polls) {
      // An app in the test's own process may need the main thread's run loop. Polling is enough, because this waits for a person.
      let isServed = Thread.isMainThread && RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
      if !isServed { Thread.sleep(forTimeInterval: 0.1) }
    }
  }

  private static func inspector(of server: TrackingServer) -> (Inspector, isNew: Bool) {
    server.page.page.withLock { page in
      if let inspector = page as? Inspector { return (inspector, false) }
      let inspector = Inspector(of: server)
      page = inspector
      return (inspector, true)
    }
  }

  static func say(_ text: String) {
    StandardError.write("TrackingInspector: \(text)\n")
  }
}
