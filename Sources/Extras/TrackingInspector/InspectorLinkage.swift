import Foundation
import TrackingModel
import TrackingRules
import TrackingServer
import TrackingSockets

/// Creates reports from saved sessions, for tools.
public enum InspectorReport {
  /// Returns the inspector's page with a session in it: one HTML file that opens from disk, without a server.
  ///
  /// - Parameter session: The content of a `session.json`.
  public static func html(session: Data) -> String {
    InspectorPage.report(json: Array(session))
  }
}

extension TrackingServer {
  /// The whole journal as `session.json`, which the inspector opens.
  public var sessionJSON: Data {
    var document = sessionDocument(since: .beginning)
    document.longestBody = .max
    return Data(document.json)
  }

  /// Writes some entries as in `session.json`, in the order of their numbers, as elements of an array.
  ///
  /// Its time depends on these entries only: it reads neither the other entries nor the open waits.
  package func write(entries numbers: Set<Int>, to json: inout JSONWriter) {
    var notes = sessionNotes.notes(of: numbers)
    for number in numbers {
      if let count = journal.redeliveryCount(of: number) { notes.marks[number, default: .init()].redeliveries = count }
    }
    let first = journal.entries(from: 1).first { _ in true }
    var document = SessionDocument(notes: notes, start: SessionDocument.start(at: first, notes))
    document.entries = numbers.sorted().compactMap { number in
      journal.entries(from: number).first { _ in true }.flatMap { $0.number == number ? $0 : nil }
    }
    document.read(self)
    document.longestBody = .max
    document.writeElements(to: &json)
  }

  var sessionNotes: SessionNotes {
    // A server finds this module by name; if that fails, nothing is noted.
    (notes as? SessionNotes) ?? SessionNotes()
  }

  func sessionDocument(since mark: JournalMark) -> SessionDocument {
    var notes = sessionNotes.snapshot()
    notes.steps.removeAll { $0.place < mark.entry }
    for (entry, count) in journal.redeliveryCounts { notes.marks[entry, default: .init()].redeliveries = count }
    var document = SessionDocument(
      entries: Array(journal.entries(since: mark)), notes: notes, lost: journal.lostEvents(since: mark))
    document.read(self)
    document.isServed = journal.vocabulary == .options
    return document
  }
}

/// The inspector, as servers and verifiers find it by name.
package final class InspectorLinkage: InspectorLink {
  package static func makeNotes() -> any InspectorNotes { SessionNotes() }

  package static func open(_ inspection: Inspection) -> URL? {
    inspection.start()
    let server = inspection.server
    let (inspector, isNew) = inspector(of: server)
    if let rule = inspection.rule { server.notes?.follow(rule) }
    server.notes?.observe(title: nil)
    guard let url = inspector.url else { return nil }
    if isNew { Inspector.say("The tracking inspector is open at\n\(url.absoluteString)") }
    return url
  }

  package static func documents(of test: InspectedTest) -> (session: String, report: String) {
    var document = test.server.sessionDocument(since: test.beginning)
    document.notes.title = test.title
    document.notes.failures = test.failures.map { .init(message: $0.message, location: $0.location) }
    document.notes.rule = test.rule
    document.notes.mutants = test.mutants
    for number in test.matched { document.notes.marks[number, default: .init()].isMatched = true }
    return (String(decoding: document.json, as: UTF8.self), InspectorPage.report(document))
  }

  package static func follow(_ server: TrackingServer, title: String) {
    InspectorRun.current?.begin(server, title: title)
  }

  package static func finish(_ server: TrackingServer) {
    server.page.withLock { $0 as? Inspector }?.waitForPages(of: server)
    if server.sessionNotes.isInRun { InspectorRun.current?.end(server) }
  }

  /// A day, after which a forgotten process ends.
  private static let longestHold = Duration.seconds(86_400)

  package static func hold(_ server: TrackingServer, for seconds: TimeInterval, title: String) {
    let (inspector, _) = inspector(of: server)
    guard let url = inspector.url else { return }
    let time = min(.clamping(seconds: seconds), longestHold)
    Inspector.say(
      """
      \(title) has failed. Its app and server stay up for \(time.components.seconds) s, or until the inspector's page is closed:
      \(url.absoluteString)
      """)
    let (polls, deadline) = (inspector.polls, ContinuousClock.now + time)
    server.sessionNotes.hold(true)
    defer { server.sessionNotes.hold(false) }
    while ContinuousClock.now < deadline, !inspector.hasBeenClosed(since: polls) {
      // An app in the test's own process may need the main thread's run loop. Polling is enough, because this waits for a person.
      let isServed = Thread.isMainThread && RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
      if !isServed { Thread.sleep(forTimeInterval: 0.1) }
    }
  }

  private static func inspector(of server: TrackingServer) -> (Inspector, isNew: Bool) {
    server.page.withLock { page in
      if let inspector = page as? Inspector { return (inspector, false) }
      let inspector = Inspector(of: server)
      page = inspector
      return (inspector, true)
    }
  }
}
