import Foundation
import StubModel
import TrackingModel
import TrackingPatterns
import TrackingServer

/// The received entries and the circumstances that a failure reports.
package struct FailureContext {
  /// The reasons why a verifier may have received nothing.
  package enum Reachability {
    /// The server's address hasn't been used, so it hasn't started.
    case unused
    case stopped
    /// The server couldn't start, which has been reported.
    case failedToStart
    case listening(URL, connections: Int)
    /// It has had no connection since an earlier test, of which the app may have kept one.
    case idle(URL)
  }

  /// The entries since the verifier began or was reset.
  let entries: [JournalEntry]
  /// The first entry that the check is about.
  let origin: JournalMark
  let lost: [LostEvents]
  /// The SDKs' items that aren't events.
  let others: [(items: OtherItems, count: Int)]
  package var reachability = Reachability.unused
  /// Whether a reset has discarded entries.
  package var hasDiscarded = false
  /// The verifier's unrequested stubs.
  package var unrequestedStubs: [StubEndpoint] = []
  /// A stub with `times:` that never responds, because an equal, newer stub does.
  package var coveredStub: StubEndpoint?
  /// Whether the main actor ran nothing else during the wait.
  var hasBlockedMainActor = false
  /// A sentence about apps that end at launch on this platform.
  package var endAtLaunch: String?
  /// The reason for which UIKit ends an app at launch.
  package static let lackOfScenes = """
    Built with the iOS 27 SDK, an app ends at launch if its Info.plist has no `UIApplicationSceneManifest`, or one without a delegate class \
    (`UISceneDelegateClassName`).
    """
  /// The line that started another verifier of this test, if its launch environment was passed to an app, too.
  package var rival: String?
  /// Whether a program launched with the verifier's address is running, or a double's connection is open.
  package var isAppRunning = false
  /// The end of the last program: "The program exited with status 0".
  package var programEnd: String?
  /// The programs launched with the verifier's address.
  package var programs: [LaunchedProgramPhase] = []
  package var app: String?
  /// The path to which events are posted.
  package var eventPath: String? = "/"
  /// Launched apps that haven't sent an event.
  let silent: [SilentLaunch]
  /// Whether a double has connected or sent events.
  let hasDoubles: Bool
  /// The names of the processes whose doubles have.
  let processes: [String]
  /// The time at which the app closed its connection.
  let closed: ContinuousClock.Instant?
  let vocabulary: Vocabulary

  package init(in journal: TrackingJournal, since beginning: JournalMark, origin: JournalMark) {
    entries = Array(journal.entries(since: beginning))
    self.origin = origin
    lost = journal.lostEvents(since: origin)
    others = journal.others
    silent = journal.silentLaunches(since: beginning)
    hasDoubles = journal.hasLaunches
    processes = journal.processes
    closed = journal.lastConnectionClosed
    vocabulary = journal.vocabulary
  }

  var counted: ArraySlice<JournalEntry> { entries.drop { $0.number < origin.entry } }

  /// Includes, for a check that reads responses, requests from before its mark whose responses were sent after it.
  func entries(for check: TrackingCheck<CheckOutcome>) -> [JournalEntry] {
    guard check.readsResponses else { return Array(counted) }
    return entries.filter { $0.number >= origin.entry || $0.request?.hasResponse(since: origin) == true }
  }

  var rejections: [RejectedSubmission] { counted.compactMap(\.rejection) }

  package var unmatched: [RecordedRequest] { counted.compactMap(\.request).filter(\.isUnmatched) }

  /// Returns `the mark` if entries of these kinds arrived before it, or `the reset` if entries were discarded and an app has connected.
  ///
  /// Returns `nil` in other cases, and if a launched app has sent no event.
  func moment(after kinds: EntryKinds) -> String? {
    guard silent.isEmpty else { return nil }
    if entries.contains(where: { $0.number < origin.entry && kinds.contains($0) }) { return "the mark" }
    // Without a connection, that is the nearer reason.
    if hasDiscarded, case .listening(_, 1...) = reachability { return "the reset" }
    return nil
  }
}

extension FailureContext {
  /// The nearest reason why nothing arrived, as the end of a headline; ``silence(about:)`` explains it.
  func nothing(of kinds: EntryKinds) -> String {
    switch reachability {
    case .listening where silent.contains { $0.closed == nil }: "; the app runs, but sent no \(kinds.singular)"
    case .listening where !silent.isEmpty: "; the app ended before it sent one"
    case .listening(_, 0): "; no app connected"
    case .idle: "; no app connected in this test"
    case .listening(_, let count): "; \(count.counted("connection")) sent no \(kinds.singular)"
    case .unused, .stopped, .failedToStart: "; nothing arrived \(hasDiscarded ? "since the reset" : "at all")"
    }
  }

  /// The process of a pattern's events, if no double of that process has connected.
  func absentProcess(of pattern: EntryPattern) -> String? {
    guard pattern.requests == nil, let process = pattern.events?.process else { return nil }
    return processes.contains { $0.isSameText(as: process) } ? nil : process
  }

  /// Returns a sentence about a process that hasn't connected.
  func absence(of process: String) -> String {
    let remedy =
      vocabulary == .calls
      ? ": an extension, or an app that the system launches, connects with `TrackerDouble(appGroup:)`." : "."
    guard !processes.isEmpty else { return "No process named \"\(process)\" has connected\(remedy)" }
    let others = CountText.list(processes.map { "\"\($0)\"" })
    return "Only \(others) \(processes.count == 1 ? "has" : "have") connected, not \"\(process)\"\(remedy)"
  }

  /// Explains why nothing arrived.
  func silence(about kinds: EntryKinds) -> String {
    let text =
      switch reachability {
      case .unused: "\(vocabulary.launchVariables) wasn't passed to any app, so \(whatIsLeft(of: kinds))."
      case .failedToStart: "The verifier could not start, so \(whatIsLeft(of: kinds))."
      case .stopped: "The verifier was stopped, so nothing could reach it."
      case .listening where !silent.isEmpty: silence(ofLaunchedAbout: kinds)
      case .listening(let url, 0):
        kinds.contains(.events)
          ? noDouble(at: url)
          : "No request reached \(url.absoluteString). Is the app configured to use \(vocabulary.backendURL)?"
      case .idle(let url):
        """
        No new connection reached \(url.absoluteString) in this test, and none that is still open sent \(kinds.plural). \
        Did you pass \(vocabulary.launchVariables) to the app before launching it?
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
      No app connected to \(url.absoluteString). Did you pass \(vocabulary.launchVariables) to the app before launching it?
      """
    }
  }

  /// Completes the sentence about connections without events, which may carry the app's requests.
  private func hello(about kinds: EntryKinds) -> String {
    kinds.contains(.events) && !hasDoubles && vocabulary == .calls ? ", and no `TrackerDouble` has connected" : ""
  }

  /// Completes the sentence about connections without events for the command, whose tests aren't in Swift: what was sent.
  private func sent(by connections: Int) -> String {
    guard vocabulary == .options, !entries.contains(where: { $0.event != nil }) else { return "" }
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

  /// An app that ends within this time of its double's first message has ended at launch.
  private static let launchTime = Duration.seconds(2)

  private func silence(ofLaunchedAbout kinds: EntryKinds) -> String {
    let open = silent.filter { $0.closed == nil }
    let names = (open.isEmpty ? silent : open).map { LaunchName.process(of: $0.launch) ?? "An app" }
    let subject =
      "\(CountText.list(names)) \(names.count == 1 ? "was" : "were") launched with \(vocabulary.launchVariables)"
    if open.isEmpty, let last = silent.last, let closed = last.closed {
      let time = TimeText.duration(closed - last.hello)
      let text = "\(subject), and the connection closed \(time) later without an event: did the app quit or crash?"
      guard let endAtLaunch, closed - last.hello < Self.launchTime else { return text }
      return "\(text) \(endAtLaunch)"
    }
    return kinds.contains(.events)
      ? "\(subject), but tracked no event."
      : "\(subject), but sent no request: does the app use \(vocabulary.backendURL)?"
  }
}

extension FailureContext {
  /// Describes the stubs that were never requested; `nil` if all were.
  func unrequested(isOver: Bool) -> String? {
    let texts = [unrequested(unrequestedStubs, isOver: isOver), coveredStub.map(Self.hint)].compactMap(\.self)
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  private func unrequested(_ stubs: [StubEndpoint], isOver: Bool) -> String? {
    guard !stubs.isEmpty else { return nil }
    let names = CountText.list(stubs.map { Excerpt.of("\($0)", width: Excerpt.columns) }, shown: Self.mostStubs)
    let hint = entries.contains { $0.request != nil } ? "" : ": does the app use \(vocabulary.backendURL)?"
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

  private static let mostStubs = 5
}

private func whatIsLeft(of kinds: EntryKinds) -> String {
  kinds == .requests ? "no request could reach the server" : "only `verifier.tracker` could send events"
}
