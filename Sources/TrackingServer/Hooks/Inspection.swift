import Foundation
import TrackingModel
import TrackingRules

/// The server and the rule that the inspector shows.
package struct Inspection: Sendable {
  package let server: TrackingServer
  /// Starts the server if it isn't running, and reports a failure to start.
  package let start: @Sendable () -> Void
  /// A rule that each event must follow, such as the tracking plan.
  package var rule: (any EventRule)?

  package init(server: TrackingServer, rule: (any EventRule)? = nil, start: @escaping @Sendable () -> Void) {
    self.server = server
    self.rule = rule
    self.start = start
  }
}

extension TrackingServer {
  /// Serves the inspector's page and prints its URL on standard error; needs the product TrackingInspector.
  ///
  /// The page shows everything received, live, as long as the server runs. A server that isn't running is started. The page changes
  /// nothing. Its URL contains a token, without which the page stays empty.
  ///
  /// - Parameter plan: A rule to check each event against, such as a tracking plan. The page marks the events that break it, and copies planned
  ///   events
  ///   as values of their generated types.
  /// - Returns: The URL; `nil` if the server can't be started, or after a message if the product isn't linked.
  @discardableResult
  public func openInspector(plan: (any EventRule)? = nil) -> URL? {
    LinkedInspector.open(Inspection(server: self, rule: plan, start: { try? self.start() }))
  }
}

/// The end of a test, for its attachments.
package struct InspectedTest: Sendable {
  package let server: TrackingServer
  /// The place in the journal at which the test began.
  package let beginning: JournalMark
  package let title: String
  package let failures: [(message: String, location: String)]
  package let rule: (any EventRule)?
  /// The numbers of the entries matched by waits.
  package let matched: Set<Int>
  /// The changes that the test would notice, as JSON; `nil` if mutants weren't requested.
  package let mutants: TrackingValue?

  package init(
    server: TrackingServer, beginning: JournalMark, title: String, failures: [(message: String, location: String)],
    rule: (any EventRule)?, matched: Set<Int>, mutants: TrackingValue? = nil
  ) {
    self.server = server
    self.beginning = beginning
    self.title = title
    self.failures = failures
    self.rule = rule
    self.matched = matched
    self.mutants = mutants
  }
}

/// The inspector, as servers and verifiers see it.
///
/// They find the conforming type by its name and don't import its module, so that targets without the inspector don't compile it.
package protocol InspectorLink: AnyObject, SendableMetatype {
  static func makeNotes() -> any InspectorNotes
  /// Serves the page, and prints its URL on standard error.
  static func open(_ inspection: Inspection) -> URL?
  /// Shows a server's test on the page of the process's tests, and prints that page's URL once on standard error.
  static func follow(_ server: TrackingServer, title: String)
  /// Stops showing a server's test. Returns when the open pages have received everything, at the latest after half a second.
  static func finish(_ server: TrackingServer)
  /// Returns when a page that was open after the call has been closed, and no other is open, or after `seconds`.
  static func hold(_ server: TrackingServer, for seconds: TimeInterval, title: String)
  /// A test's `session.json`, and its report: the page that contains the session.
  static func documents(of test: InspectedTest) -> (session: String, report: String)
}

extension TrackingServer {
  static func makeNotes() -> (any InspectorNotes)? { LinkedInspector.link.type?.makeNotes() }
}

package enum LinkedInspector {
  package static let link = LinkedClass<any InspectorLink.Type>("TrackingInspector.InspectorLinkage")

  /// Serves the page, and prints its URL; `nil` after a message if the inspector isn't linked.
  package static func open(_ inspection: Inspection) -> URL? {
    link.required(for: "The inspector is requested")?.open(inspection)
  }
}
