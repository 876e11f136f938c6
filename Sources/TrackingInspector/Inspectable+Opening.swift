import Foundation
import TrackingModel
import TrackingServer
import TrackingSockets

extension Inspectable {
  /// Serves the inspector's page beside the events, and prints its URL on standard error.
  ///
  /// ```swift
  /// verifier.openInspector()
  /// verifier.openInspector(schemas: [AddedToCart.self])      // "Copy as Swift" writes values of these types
  /// ```
  ///
  /// The page shows what arrives while it arrives, as long as the server runs. A server that is not running is started. The page reads and changes
  /// nothing. Its URL carries a token: without it, the page stays empty. Types of typed waits are known without being named here, and so is the
  /// plan of a verifier.
  ///
  /// - Parameter plan: A rule to check each event against, such as a tracking plan; the page marks the events that break it. Of a plan, "Copy as
  ///   Swift" also knows the types that are generated from it.
  /// - Parameter schemas: Types of events.
  /// - Returns: The URL; `nil` when the server does not run.
  @discardableResult
  public func openInspector(schemas: [any TrackingSchema.Type] = [], plan: (any EventRule)? = nil) -> URL? {
    var inspection = inspection
    if let plan { inspection.rule = plan }
    for schema in schemas { inspection.server.notes.learn(schema) }
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
    if isNew { say("The tracking inspector is open: \(url.absoluteString)") }
    return url
  }

  static func swiftSource(of server: TrackingServer) -> (@Sendable (TrackingEvent) -> String?)? {
    let schemas = server.notes.schemas
    guard !schemas.isEmpty else { return nil }
    let byName = Dictionary(schemas.map { (TextKey($0.eventName), $0) }) { $1 }
    return { event in byName[TextKey(event.name)].flatMap { source(of: event, as: $0) } }
  }

  static func report(_ document: SessionDocument) -> String { InspectorPage.report(document) }

  static func hold(_ server: TrackingServer, for seconds: TimeInterval, title: String) {
    let (inspector, _) = inspector(of: server)
    guard let url = inspector.url else { return }
    say(
      """
      \(title) has failed. Its app and server stay up for \(Int(seconds)) s, or until the inspector's page is closed: \
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

  private static func source<S: TrackingSchema>(of event: TrackingEvent, as type: S.Type) -> String? {
    SwiftSource.of(event, as: type)
  }

  private static func say(_ text: String) {
    StandardError.write("TrackingInspector: \(text)\n")
  }
}
