import Foundation
import StubModel
import TrackingModel
import TrackingPatterns
import TrackingServer

/// The received entries and the circumstances that a failure reports.
package struct FailureContext {
  /// The circumstances in which a verifier may have received nothing.
  package enum Reachability {
    /// Its server starts with the first use of its address, which has not been used.
    case unused
    case stopped
    /// Its server could not be started, which has been reported.
    case failedToStart
    case listening(URL, connections: Int)
    /// It has had no connection since an earlier test, of which the app may have kept one.
    case idle(URL)
  }

  /// The entries since the verifier began or was reset.
  let entries: [JournalEntry]
  /// The place from which on the check is about them.
  let origin: JournalMark
  let lost: [LostEvents]
  /// The items of SDKs that are not events.
  let others: [(items: OtherItems, count: Int)]
  package var reachability = Reachability.unused
  /// The verifier's stubs that were never requested.
  package var unrequestedStubs: [StubEndpoint] = []
  /// A stub with `times` that an equal one, installed later, keeps from responding.
  package var coveredStub: StubEndpoint?
  /// Whether nothing else of the main actor ran during the wait.
  var hasBlockedMainActor = false
  /// A sentence about apps that end at launch on this platform; `nil` for none.
  package var endAtLaunch: String?
  /// The line that started another verifier of this test, if an app was given its launch variables, too.
  package var rival: String?
  /// Whether a program that was launched with the verifier's address runs, or the connection of an app's double is open.
  package var isAppRunning = false
  /// The end of the program that ended last: "The program exited with status 0".
  package var programEnd: String?
  /// The programs that were launched with the verifier's address.
  package var programs: [LaunchedProgramPhase] = []
  /// The test's description of its app.
  package var app: String?
  /// The apps that were launched and have sent no event.
  let silent: [SilentLaunch]
  /// Whether any double has said hello or sent events.
  let hasDoubles: Bool
  /// The time at which the app closed its connection.
  let closed: ContinuousClock.Instant?
  /// The words for what may be done.
  let advice: Advice

  package init(in journal: TrackingJournal, since beginning: JournalMark, asking origin: JournalMark) {
    entries = Array(journal.entries(since: beginning))
    self.origin = origin
    lost = journal.lostEvents(since: origin)
    others = journal.others
    silent = journal.silentLaunches(since: beginning)
    hasDoubles = journal.hasLaunches
    closed = journal.lastConnectionClosed
    advice = journal.advice
  }

  /// The entries that the check is about.
  var counted: ArraySlice<JournalEntry> { entries.drop { $0.number < origin.entry } }

  /// The entries that a check is about; an order also knows the requests from before its mark whose responses were sent after it.
  func entries(for check: TrackingCheck<CheckOutcome>) -> [JournalEntry] {
    guard check.ordersResponses else { return Array(counted) }
    return entries.filter { $0.number >= origin.entry || $0.request?.hasResponse(since: origin) == true }
  }

  /// The rejections that the check is about.
  var rejections: [RejectedSubmission] { counted.compactMap(\.rejection) }

  /// The unmatched requests that the check is about.
  package var unmatched: [RecordedRequest] { counted.compactMap(\.request).filter(\.isUnmatched) }
}

extension FailureContext {
  /// The reason for which nothing arrived.
  func silence(about kinds: EntryKinds) -> String {
    let text =
      switch reachability {
      case .unused: "The test passed \(advice.launchVariables) to no app, so \(whatIsLeft(of: kinds))."
      case .failedToStart: "The verifier could not start, so \(whatIsLeft(of: kinds))."
      case .stopped: "The verifier was stopped, so nothing could reach it."
      case .listening where !silent.isEmpty: silence(ofLaunchedAbout: kinds)
      case .listening(let url, 0):
        kinds.contains(.events)
          ? noDouble(at: url)
          : "No request reached \(url.absoluteString). Is the app configured to use \(advice.backendURL)?"
      case .idle(let url):
        """
        No new connection reached \(url.absoluteString) in this test. Did you pass \(advice.launchVariables) to the app \
        before launching it?
        """
      case .listening(let url, let count):
        "\(count.counted("connection")) reached \(url.absoluteString), but sent no \(kinds.singular)\(hello(about: kinds))\(sent(by: count))."
      }
    guard case .listening = reachability, let rival else { return Excerpt.wrapped(text) }
    return Excerpt.wrapped(
      """
      \(text) A second verifier, started at \(rival), was also passed to the app: an app with the launch variables of \
      both reports to the later one.
      """)
  }

  /// The sentence about an address that no connection has reached.
  private func noDouble(at url: URL) -> String {
    let start = "No connection reached \(url.absoluteString)"
    return if programs.contains(.running) {
      "\(start), with which the running program was launched: does it make a `TrackerDouble()`?"
    } else if programs.contains(where: { $0 != .terminated }) {
      "\(start) before the program ended: does it call `flush(timeout:)` of its double before it exits?"
    } else if !programs.isEmpty {
      "\(start) before the test terminated the program."
    } else {
      """
      No app connected to \(url.absoluteString). Did you pass \(advice.launchVariables) to the app before launching it?
      """
    }
  }

  /// The end of the sentence about connections without events, which may carry the app's requests.
  private func hello(about kinds: EntryKinds) -> String {
    kinds.contains(.events) && !hasDoubles && advice == .calls ? ", and no `TrackerDouble` said hello" : ""
  }

  /// The end of the sentence about connections without events, for the command, which no test in Swift sees: what they have sent.
  private func sent(by connections: Int) -> String {
    guard advice == .options, !entries.contains(where: { $0.event != nil }) else { return "" }
    let numbers = entries.compactMap { $0.request?.connection ?? $0.rejection?.connection }
    let others = ResultText.names(of: entries)
    // Items that aren't events aren't entries.
    let silent = self.others.isEmpty ? connections - Set(numbers).count : 0
    let parts = [
      others.isEmpty ? nil : "\(connections == 1 ? "it" : "they") sent \(others)",
      silent > 0
        ? "\(silent == connections ? connections == 1 ? "it" : "they" : "\(silent)") sent no whole request" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? "" : ": \(parts.joined(separator: ", and "))"
  }

  /// The time from a double's hello within which an app's end counts as one at launch.
  private static let launchTime = Duration.seconds(2)

  /// The sentence about apps that were launched with the verifier's endpoint and have sent no event.
  private func silence(ofLaunchedAbout kinds: EntryKinds) -> String {
    let open = silent.filter { $0.closed == nil }
    let names = (open.isEmpty ? silent : open).map { LaunchName.process(of: $0.launch) ?? "An app" }
    let subject =
      "\(CountText.list(names)) \(names.count == 1 ? "was" : "were") launched with \(advice.launchVariables)"
    if open.isEmpty, let last = silent.last, let closed = last.closed {
      let time = TimeText.duration(closed - last.hello)
      let text = "\(subject), and the connection closed \(time) later without an event: did the app quit or crash?"
      guard let endAtLaunch, closed - last.hello < Self.launchTime else { return text }
      return "\(text) \(endAtLaunch)"
    }
    return kinds.contains(.events)
      ? "\(subject), but tracked no event." : "\(subject), but sent no request: does the app use \(advice.backendURL)?"
  }
}

extension FailureContext {
  /// The sentence about stubs that were never requested; `nil` if all were.
  ///
  /// - Parameter isOver: Whether the check has ended.
  func unrequested(isOver: Bool) -> String? {
    let texts = [unrequested(unrequestedStubs, isOver: isOver), coveredStub.map(Self.hint)].compactMap(\.self)
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  private func unrequested(_ stubs: [StubEndpoint], isOver: Bool) -> String? {
    guard !stubs.isEmpty else { return nil }
    let names = CountText.list(stubs.map { Excerpt.of("\($0)", width: Excerpt.columns) }, shown: Self.mostStubs)
    let hint = entries.contains { $0.request != nil } ? "" : ": does the app use \(advice.backendURL)?"
    let isOne = stubs.count == 1
    let verb =
      isOver ? "\(isOne ? "was" : "were") never requested" : "\(isOne ? "hasn't" : "haven't") been requested yet"
    return Excerpt.wrapped("The \(isOne ? "stub" : "stubs") \(names) \(verb)\(hint.isEmpty ? "." : hint)", indent: 4)
  }

  private static func hint(onCovered stub: StubEndpoint) -> String {
    let name = Excerpt.of("\(stub)", width: Excerpt.columns)
    return Excerpt.wrapped(
      "The stub \(name) with `times: \(stub.options.times ?? 1)` didn't respond, because an equal stub that was set later did: set the one with `times:` last.",
      indent: 4)
  }

  /// The most stubs in a sentence.
  private static let mostStubs = 5
}

/// The words for what can be received without a server.
private func whatIsLeft(of kinds: EntryKinds) -> String {
  kinds == .requests ? "no request could reach it" : "only its `tracker` could have sent an event"
}
