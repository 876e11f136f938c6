import TrackingModel
import TrackingSockets

/// What a test says about the entries of a journal: its open waits, the entries that waits matched, findings, and failures.
///
/// A server has one. Verifiers write to it while somebody looks on; the inspector reads it.
package final class SessionNotes: Sendable {
  /// A question that a test is asking.
  package struct OpenWait: Sendable {
    let question: String
    /// `CartTests.swift:31`.
    let location: String
    /// How it stands, and the nearest miss.
    ///
    /// Runs patterns of the test, so never on the server's thread.
    let standing: @Sendable () -> (text: String, nearestMiss: String?)

    package init(
      question: String, location: String, standing: @escaping @Sendable () -> (text: String, nearestMiss: String?)
    ) {
      self.question = question
      self.location = location
      self.standing = standing
    }
  }

  /// A step of the test, which the timeline shows as a heading.
  package struct Step: Sendable {
    package let text: String
    /// The number of the entry that arrived next.
    package let place: Int
    package let time: ContinuousClock.Instant
  }

  /// A failure of the test.
  package struct Failure: Hashable, Sendable {
    package var message: String
    package var location: String

    package init(message: String, location: String) {
      self.message = message
      self.location = location
    }
  }

  /// What is noted of one entry.
  package struct Mark: Hashable, Sendable {
    /// `false` for an event that the test has ended without matching.
    package var isMatched: Bool?
    /// How often an SDK has delivered the event again.
    package var redeliveries: Int?

    package init() {}

    package var json: TrackingValue {
      var members: [String: TrackingValue] = [:]
      members["isMatched"] = isMatched.map(TrackingValue.bool)
      members["redeliveries"] = redeliveries.map(TrackingValue.int)
      return .object(members)
    }
  }

  /// Everything that is noted, or what has changed since a revision.
  package struct Snapshot: Sendable {
    package var title = ""
    package var waits: [OpenWait] = []
    package var failures: [Failure] = []
    package var marks: [Int: Mark] = [:]
    package var steps: [Step] = []
    /// The rule that each event must follow, such as the tracking plan.
    package var rule: (any EventRule)?
    /// The revision in which the rule was set; 0 without one.
    package var ruleRevision = 0
    /// Whether the test has failed and waits until the inspector's page is closed.
    package var isHeld = false
    /// Grows with each change.
    package var revision = 0

    package init() {}
  }

  private struct State {
    var isObserved = false
    var isFollowed = false
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
  }

  private let state = Locked(State())

  package init() {}

  // MARK: - What a verifier writes

  /// Whether somebody looks on: only then are open waits worth noting.
  package var isObserved: Bool { state.withLock(\.isObserved) }

  /// Whether the page of all tests shows this one.
  package var isFollowed: Bool { state.withLock(\.isFollowed) }

  package func follow() { state.withLock { $0.isFollowed = true } }

  /// Whether the test has failed.
  package var hasFailed: Bool { state.withLock { !$0.failures.isEmpty } }

  package func observe(title: String? = nil) {
    change { state in
      state.isObserved = true
      state.title = title ?? state.title
      state.changes.append(0)
    }
  }

  package func hold(_ isHeld: Bool) {
    change { state in
      state.isHeld = isHeld
      state.changes.append(0)
    }
  }

  /// Notes a wait that begins.
  ///
  /// - Returns: A function that ends it, in one revision with its failure: a page that hears of one hears of both.
  package func begin(_ wait: @autoclosure () -> OpenWait) -> (@Sendable (Failure?) -> Void)? {
    guard isObserved else { return nil }
    let wait = wait()
    let number = change { state in
      defer { state.nextWait += 1 }
      state.waits[state.nextWait] = wait
      state.changes.append(0)
      return state.nextWait
    }
    return { [self] failure in
      change { state in
        state.waits[number] = nil
        if let failure { state.failures.append(failure) }
        state.changes.append(0)
      }
    }
  }

  package func add(_ failure: Failure) {
    change { state in
      state.failures.append(failure)
      state.changes.append(0)
    }
  }

  /// Notes a step of the test.
  ///
  /// - Parameter place: The number of the journal's next entry.
  package func add(step text: String, before place: Int) {
    change { state in
      state.steps.append(Step(text: text, place: place, time: .now))
      state.changes.append(0)
    }
  }

  /// Sets the rule that events are checked against when they are shown.
  package func follow(_ rule: any EventRule) {
    change { state in
      state.rule = rule
      state.changes.append(0)
      state.ruleRevision = state.changes.count
    }
  }

  /// Notes that waits have matched entries, or that the test ended without matching them.
  package func match(_ numbers: some Sequence<Int>, _ isMatched: Bool = true) {
    guard isObserved else { return }
    mark(Array(numbers)) { $0.isMatched = isMatched }
  }

  /// Forgets the failures of the last test; marks belong to the journal's entries and stay.
  package func beginTest(title: String) {
    change { state in
      (state.title, state.failures) = (title, [])
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

  // MARK: - What the inspector reads

  /// Everything noted, with the marks that have changed since a revision, and those of some entries.
  package func snapshot(since revision: Int = 0, of numbers: Range<Int> = 0..<0) -> Snapshot {
    state.withLock { state in
      var snapshot = Snapshot()
      snapshot.title = state.title
      snapshot.waits = state.waits.sorted { $0.key < $1.key }.map(\.value)
      snapshot.failures = state.failures
      snapshot.steps = state.steps
      snapshot.rule = state.rule
      snapshot.ruleRevision = state.ruleRevision
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

  package var revision: Int { state.withLock(\.changes.count) }

  /// Calls `wake` once at the next change.
  ///
  /// - Returns: What takes it back; `nil` when there is a change since the revision already.
  package func wake(after revision: Int, _ wake: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
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
