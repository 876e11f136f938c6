import TrackingChecks
import TrackingModel

/// The tests that have used a server, one after the other: each begins with a default mark and ends with a finish.
struct ServedTests: Sendable {
  /// A test, or whatever ran before the first one or between two.
  struct Test: Sendable {
    /// The name; empty for a test without one.
    var name = ""
    var failures: [CheckFailure] = []
    let began: ContinuousClock.Instant
    var ended: ContinuousClock.Instant?
    /// Whether anything was checked, so that the time between two tests isn't a test.
    var isUsed = false
  }

  /// The server's name, which stands for a test without one.
  let server: String
  private(set) var all: [Test]

  /// Creates the list of a server that starts to receive.
  init(of server: String, now: ContinuousClock.Instant) {
    self.server = server
    all = [Test(began: now)]
  }

  /// The test that runs, or the time since the last one.
  private var last: Test {
    get { all[all.count - 1] }
    set { all[all.count - 1] = newValue }
  }

  /// Ends the test that runs, and begins another.
  mutating func begin(_ name: String, at now: ContinuousClock.Instant) {
    if !last.isUsed { all.removeLast() } else if last.ended == nil { last.ended = now }
    all.append(Test(name: name, began: now, isUsed: !name.isEmpty))
  }

  /// Notes that the test that runs has checked something; after a finish, another begins.
  mutating func use(at now: ContinuousClock.Instant) {
    if let end = last.ended { all.append(Test(began: end)) }
    last.isUsed = true
  }

  /// Notes failures of the test that runs.
  mutating func add(_ failures: [CheckFailure], at now: ContinuousClock.Instant) {
    use(at: now)
    last.failures += failures
  }

  /// Gives the test that runs the name of a finish.
  ///
  /// - Throws: ``Refusal`` if it has another.
  mutating func name(_ name: String, at now: ContinuousClock.Instant) throws(Refusal) {
    guard last.ended != nil || ["", name].contains(last.name) else {
      throw Refusal(
        "test: the test that runs is \(TrackingValue.string(last.name)): finish it by this name, or begin "
          + "\(TrackingValue.string(name)) with a default mark")
    }
    use(at: now)
    last.name = name
  }

  /// Ends the test that runs.
  mutating func finish(at now: ContinuousClock.Instant) { last.ended = now }

  /// The name of the test that runs; empty if it has none.
  var running: String { last.name }

  /// The place of a failure in the session: the test and the number of the wait, as `checkout, wait:3`.
  func place(of failure: CheckFailure) -> String {
    let line = failure.location.line > 0 ? failure.location.shortText : "finish"
    return last.name.isEmpty ? line : "\(last.name), \(line)"
  }

  /// The tests so far.
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
  /// The failure as JSON.
  var value: TrackingValue { ["kind": .string("\(kind)"), "message": .string(message)] }
}

extension ContinuousClock.Instant {
  /// Seconds, to the millisecond.
  fileprivate func seconds(since other: Self) -> Double { (((self - other) / .milliseconds(1)).rounded()) / 1_000 }
}
