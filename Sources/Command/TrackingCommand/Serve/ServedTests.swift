import TrackingChecks
import TrackingModel

/// The tests that have used a server, in order: each starts with a default mark and ends with a finish.
struct ServedTests: Sendable {
  /// A test, or the time before the first test or between two.
  private struct Part {
    var test = ServedTest()
    let began: ContinuousClock.Instant
    var ended: ContinuousClock.Instant?
    /// Whether anything was checked; the time between two tests usually isn't a test.
    var isUsed = false
  }

  /// The server's name, used for tests without a name.
  let server: String
  private var parts: [Part]

  init(of server: String, now: ContinuousClock.Instant) {
    self.server = server
    parts = [Part(began: now)]
  }

  /// The running test, or the time since the last one.
  private var last: Part {
    get { parts[parts.count - 1] }
    set { parts[parts.count - 1] = newValue }
  }

  /// Ends the running test, and starts another one.
  ///
  /// - Parameter entry: The number of the first entry that belongs to it.
  mutating func begin(_ name: String, at now: ContinuousClock.Instant, from entry: Int) {
    if !last.isUsed { parts.removeLast() } else if last.ended == nil { end(at: now, before: entry) }
    parts.append(Part(test: ServedTest(name: name, from: entry), began: now, isUsed: !name.isEmpty))
  }

  private mutating func end(at now: ContinuousClock.Instant, before entry: Int) {
    (last.ended, last.test.until) = (now, entry)
  }

  /// Notes that the running test has checked something; after a finish, starts another test.
  private mutating func use() {
    if let ended = last.ended { parts.append(Part(test: ServedTest(from: last.test.until ?? 1), began: ended)) }
    last.isUsed = true
  }

  /// Adds failures of the running test, if there are any.
  mutating func add(_ failures: [CheckFailure]) {
    guard !failures.isEmpty else { return }
    use()
    failures.forEach { add($0, of: running) }
  }

  /// Starts a check of the running test; returns the test's index, for its failure.
  mutating func startCheck() -> Int {
    use()
    return running
  }

  mutating func add(_ failure: CheckFailure, of test: Int) {
    parts[test].test.failures.append(.init(kind: "\(failure.kind)", message: failure.message))
    parts[test].test.hasFailed = true
  }

  /// Throws ``CommandError`` if the running test has another name than its finish.
  func allowFinish(of name: String) throws(CommandError) {
    guard last.ended != nil || ["", name].contains(last.test.name) else {
      throw CommandError(
        "test: the test that runs is \(TrackingValue.string(last.test.name)): finish it by this name, or begin "
          + "\(TrackingValue.string(name)) with a default mark")
    }
  }

  /// Ends the running test, which gets the name if it has none.
  ///
  /// A finish with nothing received since the last one is of the same test, unless it has failures or another name.
  mutating func finish(
    _ name: String?, _ failures: [CheckFailure], at now: ContinuousClock.Instant, before entry: Int
  ) {
    let isRepeated =
      last.ended != nil && last.test.until == entry && failures.isEmpty && [nil, last.test.name].contains(name)
    guard !isRepeated else { return }
    use()
    if let name { last.test.name = name }
    add(failures)
    end(at: now, before: entry)
  }

  /// The index of the running test.
  var running: Int { parts.count - 1 }

  func name(of test: Int) -> String { parts[test].test.name }

  /// The test and number of the wait that failed: `checkout, wait:3`.
  func place(of failure: CheckFailure, in test: Int) -> String {
    let line = failure.location.line > 0 ? failure.location.shortText : "finish"
    return name(of: test).isEmpty ? line : "\(name(of: test)), \(line)"
  }

  var all: [ServedTest] {
    parts.filter(\.isUsed).enumerated().map { place, part in
      var test = part.test
      test.place = place
      test.milliseconds = Int((((part.ended ?? .now) - part.began) / .milliseconds(1)).rounded())
      return test
    }
  }

  /// The tests in the response of a finish.
  var value: TrackingValue { .array(all.map { $0.value(server: server) }) }

  /// The tests in a session.
  var sessionValue: TrackingValue { all.sessionValue }
}

extension CheckFailure {
  var value: TrackingValue { ["kind": .string("\(kind)"), "message": .string(message)] }
}
