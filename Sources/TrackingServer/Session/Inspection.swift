import Foundation
import TrackingModel
import TrackingSockets

/// A server, or a test's end of one, that the inspector can show: a `TrackingVerifier` or a ``TrackingServer``.
///
/// `import TrackingInspector` adds `openInspector()`.
public protocol Inspectable: Sendable {
  /// What the inspector shows.
  var inspection: Inspection { get }
}

/// What the inspector shows of a server or a verifier.
public struct Inspection: Sendable {
  package let server: TrackingServer
  /// Starts the server if it is not running, and reports why it cannot.
  package let start: @Sendable () -> Void
  /// The rule that each event must follow, such as the tracking plan.
  package var rule: (any EventRule)?

  package init(server: TrackingServer, rule: (any EventRule)? = nil, start: @escaping @Sendable () -> Void) {
    self.server = server
    self.rule = rule
    self.start = start
  }
}

extension TrackingServer: Inspectable {
  /// What the inspector shows of the server.
  public var inspection: Inspection { Inspection(server: self, start: { try? self.start() }) }

  /// Everything in the journal as `session.json`, which the inspector opens.
  public var sessionJSON: Data {
    var document = sessionDocument(since: .beginning)
    document.longestBody = .max
    return Data(document.json)
  }

  /// What was received after a mark, with everything that is noted about it.
  package func sessionDocument(since mark: JournalMark) -> SessionDocument {
    var notes = notes.snapshot()
    notes.steps.removeAll { $0.place < mark.entry }
    for (entry, count) in journal.redeliveryCounts { notes.marks[entry, default: .init()].redeliveries = count }
    var document = SessionDocument(
      entries: Array(journal.entries(since: mark)), notes: notes, lost: journal.lostEvents(since: mark))
    document.responses = journal.responses
    return document
  }
}

/// The inspector, as a verifier sees it.
///
/// A verifier must not import the inspector, so that nobody builds it who does not use it. It looks the one type that conforms to this up by its
/// name, and finds it in each process that the product TrackingInspector is linked into.
package protocol InspectorLink: AnyObject, SendableMetatype {
  /// Serves the page, and says its URL on standard error.
  static func open(_ inspection: Inspection) -> URL?
  /// The report: the page with a session in it.
  static func report(_ document: SessionDocument) -> String
  /// Shows the test of a server on the page of the process's tests, and says that page's URL once on standard error.
  static func follow(_ server: TrackingServer, title: String)
  /// Ends the showing of a server's test.
  ///
  /// Returns when the open pages know everything that was received and noted, after half a second at the latest.
  static func finish(_ server: TrackingServer)
  /// Returns when no page is open any more that was open since the call, or when the time is up.
  static func hold(_ server: TrackingServer, for seconds: TimeInterval, title: String)
}

package enum LinkedInspector {
  /// The inspector; `nil` where it is not linked.
  package static let type = NSClassFromString("TrackingInspector.InspectorLinkage") as? any InspectorLink.Type
}
