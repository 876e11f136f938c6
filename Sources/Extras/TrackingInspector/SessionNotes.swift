import TrackingModel
import TrackingRules
import TrackingServer

/// The notes of tests on a server's session: open waits, matched entries, steps and failures.
///
/// A server has one. Verifiers write to it while an inspector is open; the inspector reads it.
final class SessionNotes: InspectorNotes {
  /// A question that a test is asking.
  struct OpenWait: Sendable {
    let question: String
    /// `CartTests.swift:31`.
    let location: String
    /// The wait's state and nearest miss; it isn't called on the server's thread.
    let progress: @Sendable () -> (text: String, nearestMiss: String?)
  }

  /// A step of the test, which the timeline shows as a heading.
  struct Step: Sendable {
    let text: String
    /// The number of the entry that arrived next.
    let place: Int
    let time: ContinuousClock.Instant
  }

  /// A failure of the test.
  struct Failure: Hashable, Sendable {
    var message: String
    var location: String
  }

  /// The notes on one entry.
  struct Mark: Hashable, Sendable {
    /// `false` for an event that the test has ended without matching.
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
    /// The rule that each event must follow, such as the tracking plan.
    var rule: (any EventRule)?
    /// The revision in which the rule was set; 0 without one.
    var ruleRevision = 0
    /// The changes that the test would notice; `nil` unless mutants were asked for.
    var mutants: TrackingValue?
    /// The revision in which they were noted; 0 without them.
    var mutantsRevision = 0
    /// Whether the test has failed and waits until the inspector's page is closed.
    var isHeld = false
    /// Grows with each change.
    var revision = 0
  }

  private struct State {
    var isObserved = false
    var isInRun = false
    var isHeld = false
    var title = ""
    var waits: [Int: OpenWait] = [:]
    var nextWait = 0
    var failures: [Failure] = []
    var marks: [Int: Mark] = [:]
    /// The numbers of the marked entries in the order of the changes, one a revision; 0 for other changes.
    var changes: [Int] = []
    var wakes: [Int: @Sendable () -> Void] = [:]
    var nextWake = 0
    var steps: [Step] = []
    var rule: (any EventRule)?
    var ruleRevision = 0
    var mutants: TrackingValue?
    var mutantsRevision = 0
  }

  private let state = Locked(State())

  // MARK: - For verifiers

  var isObserved: Bool { state.withLock(\.isObserved) }

  /// Whether the page of all tests of the process shows this one.
  var isInRun: Bool { state.withLock(\.isInRun) }

  func joinRun() { state.withLock { $0.isInRun = true } }

  /// Whether the test has failed.
  var hasFailed: Bool { state.withLock { !$0.failures.isEmpty } }

  func observe(title: String?) {
    change { state in
      state.isObserved = true
      state.title = title ?? state.title
      state.changes.append(0)
    }
  }

  func hold(_ isHeld: Bool) {
    change { state in
      state.isHeld = isHeld
      state.changes.append(0)
    }
  }

  func beginWait(
    _ question: String, at location: String,
    _ progress: @escaping @Sendable () -> (text: String, nearestMiss: String?)
  ) -> @Sendable ((message: String, location: String)?) -> Void {
    let wait = OpenWait(question: question, location: location, progress: progress)
    let number = change { state in
      defer { state.nextWait += 1 }
      state.waits[state.nextWait] = wait
      state.changes.append(0)
      return state.nextWait
    }
    return { [self] failure in
      change { state in
        state.waits[number] = nil
        if let failure { state.failures.append(Failure(message: failure.message, location: failure.location)) }
        state.changes.append(0)
      }
    }
  }

  func add(failure message: String, at location: String) {
    change { state in
      state.failures.append(Failure(message: message, location: location))
      state.changes.append(0)
    }
  }

  func add(step text: String, before place: Int) {
    change { state in
      state.steps.append(Step(text: text, place: place, time: .now))
      state.changes.append(0)
    }
  }

  func follow(_ rule: any EventRule) {
    change { state in
      state.rule = rule
      state.changes.append(0)
      state.ruleRevision = state.changes.count
    }
  }

  func add(_ mutants: TrackingValue) {
    change { state in
      state.mutants = mutants
      state.changes.append(0)
      state.mutantsRevision = state.changes.count
    }
  }

  func match(_ numbers: [Int], _ isMatched: Bool) {
    mark(numbers) { $0.isMatched = isMatched }
  }

  // Marks belong to the journal's entries and stay.
  func beginTest(title: String) {
    change { state in
      (state.title, state.failures, state.mutants) = (title, [], nil)
      state.changes.append(0)
    }
  }

  private func mark(_ numbers: [Int], _ update: (inout Mark) -> Void) {
    guard !numbers.isEmpty, isObserved else { return }
    change { state in
      for number in numbers { update(&state.marks[number, default: Mark()]) }
      state.changes += numbers
    }
  }

  @discardableResult
  private func change<Result: Sendable>(_ update: (inout State) -> Result) -> Result {
    let (result, wakes) = state.withLock { state in
      let result = update(&state)
      defer { state.wakes = [:] }
      return (result, state.wakes.values.map { $0 })
    }
    for wake in wakes { wake() }
    return result
  }

  // MARK: - For the inspector

  /// All notes, with the marks that have changed since a revision, and those of some entries.
  func snapshot(since revision: Int = 0, of numbers: Range<Int> = 0..<0) -> Snapshot {
    state.withLock { state in
      var snapshot = Snapshot()
      snapshot.title = state.title
      snapshot.waits = state.waits.sorted { $0.key < $1.key }.map(\.value)
      snapshot.failures = state.failures
      snapshot.steps = state.steps
      snapshot.rule = state.rule
      snapshot.ruleRevision = state.ruleRevision
      (snapshot.mutants, snapshot.mutantsRevision) = (state.mutants, state.mutantsRevision)
      snapshot.isHeld = state.isHeld
      snapshot.revision = state.changes.count
      for number in state.changes.dropFirst(max(revision, 0)) where number > 0 {
        snapshot.marks[number] = state.marks[number]
      }
      if !state.marks.isEmpty {
        for number in numbers { snapshot.marks[number] = state.marks[number] }
      }
      return snapshot
    }
  }

  var revision: Int { state.withLock(\.changes.count) }

  /// Calls `wake` once at the next change.
  ///
  /// - Returns: A function that cancels the call; `nil` if there is a change since the revision already.
  func wake(after revision: Int, _ wake: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    let number: Int? = state.withLock { state in
      guard state.changes.count <= revision else { return nil }
      defer { state.nextWake += 1 }
      state.wakes[state.nextWake] = wake
      return state.nextWake
    }
    guard let number else { return nil }
    return { [self] in state.withLock { $0.wakes[number] = nil } }
  }
}
