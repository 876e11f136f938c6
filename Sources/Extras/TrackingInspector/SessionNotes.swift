import StubModel
import TrackingModel
import TrackingRules
import TrackingServer

/// A server's notes of tests: open waits, matched entries, steps and failures.
///
/// Verifiers write to it while an inspector is open, which reads it.
final class SessionNotes: InspectorNotes {
  struct OpenWait: Sendable {
    let check: String
    /// `CartTests.swift:31`.
    let location: String
    /// The wait's state and nearest miss; not called on the server's thread.
    let progress: @Sendable () -> (text: String, nearestMiss: String?)
  }

  /// A step of the test, shown as a heading in the timeline.
  struct Step: Sendable {
    let text: String
    /// The number of the entry that arrived next.
    let place: Int
    let time: ContinuousClock.Instant
  }

  struct Failure: Hashable, Sendable {
    var message: String
    var location: String
  }

  struct Mark: Hashable, Sendable {
    /// `false` for an event that no wait had matched when the test ended.
    var isMatched: Bool?
    /// The number of redeliveries by an SDK.
    var redeliveries: Int?

    var json: TrackingValue {
      var members: [String: TrackingValue] = [:]
      members["isMatched"] = isMatched.map(TrackingValue.bool)
      members["redeliveries"] = redeliveries.map(TrackingValue.int)
      return .object(members)
    }
  }

  /// All notes, or those that have changed since a revision.
  struct Snapshot: Sendable {
    var title = ""
    var waits: [OpenWait] = []
    var failures: [Failure] = []
    var marks: [Int: Mark] = [:]
    var steps: [Step] = []
    /// A rule that each event must follow, such as the tracking plan.
    var rule: (any EventRule)?
    /// The revision in which the rule was set; 0 without one.
    var ruleRevision = 0
    /// Returns the tests of `tracking serve`; `nil` for a test's server.
    var tests: (@Sendable () -> TrackingValue)?
    /// The revision in which the tests changed; 0 without them.
    var testsRevision = 0
    /// The changes that the test would notice; `nil` unless mutants were requested.
    var mutants: TrackingValue?
    /// The revision in which the mutants were noted; 0 without them.
    var mutantsRevision = 0
    /// Whether the test has failed and waits until the inspector's page is closed.
    var isHeld = false
    /// Grows with each change.
    var revision = 0
  }

  private struct State {
    var isObserved = false
    var isInRun = false
    /// All notes except the open waits.
    var notes = Snapshot()
    var waits: [Int: OpenWait] = [:]
    var nextWait = 0
    /// The numbers of the marked entries in the order of the changes, one per revision; 0 for other changes.
    var changes: [Int] = []
    var waiters = Waiters()
  }

  private let state = Locked(State())

  // MARK: - For verifiers

  var isObserved: Bool { state.withLock(\.isObserved) }

  /// Whether the page of the process's tests shows this one.
  var isInRun: Bool { state.withLock(\.isInRun) }

  func joinRun() { state.withLock { $0.isInRun = true } }

  var hasFailed: Bool { state.withLock { !$0.notes.failures.isEmpty } }

  func observe(title: String?) {
    change { state in
      state.isObserved = true
      state.notes.title = title ?? state.notes.title
    }
  }

  func hold(_ isHeld: Bool) {
    change { $0.notes.isHeld = isHeld }
  }

  func beginWait(
    _ check: String, at location: String,
    _ progress: @escaping @Sendable () -> (text: String, nearestMiss: String?)
  ) -> @Sendable ((message: String, location: String)?) -> Void {
    let wait = OpenWait(check: check, location: location, progress: progress)
    let number = change { state in
      defer { state.nextWait += 1 }
      state.waits[state.nextWait] = wait
      return state.nextWait
    }
    return { [self] failure in
      change { state in
        state.waits[number] = nil
        if let failure { state.notes.failures.append(Failure(message: failure.message, location: failure.location)) }
      }
    }
  }

  func add(failure message: String, at location: String) {
    change { $0.notes.failures.append(Failure(message: message, location: location)) }
  }

  func add(step text: String, before place: Int) {
    change { $0.notes.steps.append(Step(text: text, place: place, time: .now)) }
  }

  func follow(_ rule: any EventRule) {
    change { state in (state.notes.rule, state.notes.ruleRevision) = (rule, state.changes.count) }
  }

  func add(_ mutants: TrackingValue) {
    change { state in (state.notes.mutants, state.notes.mutantsRevision) = (mutants, state.changes.count) }
  }

  func follow(tests: @escaping @Sendable () -> TrackingValue) {
    change { state in (state.notes.tests, state.notes.testsRevision) = (tests, state.changes.count) }
  }

  // Marks belong to the journal's entries and stay.
  func beginTest(title: String) {
    change { state in (state.notes.title, state.notes.failures, state.notes.mutants) = (title, [], nil) }
  }

  func match(_ numbers: [Int], _ isMatched: Bool) {
    guard !numbers.isEmpty, isObserved else { return }
    change(numbers) { state in
      for number in numbers { state.notes.marks[number, default: Mark()].isMatched = isMatched }
    }
  }

  /// Makes a change, in a new revision, to the marks of some entries or to anything else.
  @discardableResult
  private func change<Result: Sendable>(_ numbers: [Int] = [0], _ update: (inout State) -> Result) -> Result {
    let (result, wakes) = state.withLock { state in
      state.changes += numbers
      return (update(&state), state.waiters.take())
    }
    for wake in wakes { wake() }
    return result
  }

  // MARK: - For the inspector

  /// All notes, with the marks that have changed since a revision, and those of some entries.
  func snapshot(since revision: Int = 0, of numbers: Range<Int> = 0..<0) -> Snapshot {
    state.withLock { state in
      var snapshot = state.notes
      snapshot.waits = state.waits.sorted { $0.key < $1.key }.map(\.value)
      snapshot.revision = state.changes.count
      snapshot.marks = [:]
      for number in state.changes.dropFirst(max(revision, 0)) where number > 0 {
        snapshot.marks[number] = state.notes.marks[number]
      }
      if !state.notes.marks.isEmpty {
        for number in numbers { snapshot.marks[number] = state.notes.marks[number] }
      }
      return snapshot
    }
  }

  /// The marks of some entries, the rule and the first step, without what grows with the session.
  func notes(of entries: Set<Int>) -> Snapshot {
    state.withLock { state in
      var notes = Snapshot()
      (notes.rule, notes.steps) = (state.notes.rule, Array(state.notes.steps.prefix(1)))
      for number in entries { notes.marks[number] = state.notes.marks[number] }
      return notes
    }
  }

  var revision: Int { state.withLock(\.changes.count) }

  /// Calls `wake` once at the next change; returns a function that cancels the call, or `nil` if there has been a change since the revision.
  func wake(after revision: Int, _ wake: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    let ticket = state.withLock { $0.changes.count <= revision ? $0.waiters.add(wake) : nil }
    guard let ticket else { return nil }
    return { [self] in state.withLock { $0.waiters.remove(ticket) } }
  }
}
