import TrackingChecks
import TrackingModel

/// The tests that have used a server, in order: each starts with a default mark and ends with a finish.
struct ServedTests: Sendable {
  /// A test, or the time before the first test or between two.
  struct Test: Sendable {
    /// Empty for a test without a name.
    var name = ""
    var failures: [CheckFailure] = []
    let began: ContinuousClock.Instant
    var ended: ContinuousClock.Instant?
    /// Whether anything was checked; the time between two tests usually isn't a test.
    var isUsed = false
  }

  /// The server's name, used for tests without a name.
  let server: String
  private(set) var all: [Test]

  init(of server: String, now: ContinuousClock.Instant) {
    self.server = server
    all = [Test(began: now)]
  }

  /// The running test, or the time since the last one.
  private var last: Test {
    get { all[all.count - 1] }
    set { all[all.count - 1] = newValue }
  }

  /// Ends the running test, and starts another one.
  mutating func begin(_ name: String, at now: ContinuousClock.Instant) {
    if !last.isUsed { all.removeLast() } else if last.ended == nil { last.ended = now }
    all.append(Test(name: name, began: now, isUsed: !name.isEmpty))
  }

  /// Notes that the running test has checked something; after a finish, starts another test.
  mutating func use(at now: ContinuousClock.Instant) {
    if let end = last.ended { all.append(Test(began: end)) }
    last.isUsed = true
  }

  /// Adds failures of the running test.
  mutating func add(_ failures: [CheckFailure], at now: ContinuousClock.Instant) {
    use(at: now)
    last.failures += failures
  }

  /// Starts a check of the running test; returns the test's index, for its failure.
  mutating func startCheck(at now: ContinuousClock.Instant) -> Int {
    use(at: now)
    return all.count - 1
  }

  mutating func add(_ failure: CheckFailure, of test: Int) { all[test].failures.append(failure) }

  /// Names the running test after its finish; throws ``CommandError`` if it has another name.
  mutating func name(_ name: String, at now: ContinuousClock.Instant) throws(CommandError) {
    guard last.ended != nil || ["", name].contains(last.name) else {
      throw CommandError(
        "test: the test that runs is \(TrackingValue.string(last.name)): finish it by this name, or begin "
          + "\(TrackingValue.string(name)) with a default mark")
    }
    use(at: now)
    last.name = name
  }

  mutating func finish(at now: ContinuousClock.Instant) { last.ended = now }

  var running: String { last.name }

  /// The test and number of the wait that failed: `checkout, wait:3`.
  ///
  /// - Parameter test: The index of its test; `nil` for the running one.
  func place(of failure: CheckFailure, in test: Int? = nil) -> String {
    let line = failure.location.line > 0 ? failure.location.shortText : "finish"
    let name = test.map { all[$0].name } ?? last.name
    return name.isEmpty ? line : "\(name), \(line)"
  }

  var value: TrackingValue {
    .array(
      all.filter(\.isUsed).map { test in
        [
          "name": .string(test.name.isEmpty ? server : test.name),
          "seconds": TrackingValue.double((test.ended ?? .now).seconds(since: test.began)).canonical,
          "failures": .array(test.failures.map(\.value)),
        ]
      })
  }
}

extension CheckFailure {
  var value: TrackingValue { ["kind": .string("\(kind)"), "message": .string(message)] }
}

extension ContinuousClock.Instant {
  fileprivate func seconds(since other: Self) -> Double { (((self - other) / .milliseconds(1)).rounded()) / 1_000 }
}
