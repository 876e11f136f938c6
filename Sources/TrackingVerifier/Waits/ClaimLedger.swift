import TrackingServer
import TrackingSockets

/// Which events the waits of a verifier have claimed, and what became of the waits' questions after they had returned.
final class ClaimLedger: Sendable {
  private struct State {
    var claimed: Set<Int> = []
    var bounds: [(number: Int, watch: BoundWatch)] = []
    var nextBound = 1
    var late: [LateWatch] = []
    /// What was found before a reset, and is told at the stop.
    var findings: [LateFinding] = []
  }

  private let journal: Journal
  private let notes: SessionNotes
  private let state = Locked(State())

  init(of server: TrackingServer) {
    journal = server.journal
    notes = server.notes
  }

  /// Notes the events of a wait's answer.
  func claim(_ events: [RecordedEvent]) {
    state.withLock { $0.claimed.formUnion(events.lazy.map(\.number)) }
    notes.match(events.map(\.number))
  }

  /// The numbers of the events that waits have claimed.
  var claimed: Set<Int> { state.withLock(\.claimed) }

  /// Goes on with a bound that a wait found to hold.
  func watch(_ bound: BoundWatch) {
    state.withLock { state in
      state.bounds.append((state.nextBound, bound))
      state.nextBound += 1
    }
  }

  /// Goes on with a question that a wait gave up.
  func watch(_ late: LateWatch) {
    state.withLock { $0.late.append(late) }
  }

  /// Whether a wait has claimed the event, or would if it went on.
  func isClaimed(_ event: RecordedEvent) -> Bool {
    if state.withLock({ $0.claimed.contains(event.number) }) { return true }
    goOnWithBounds()
    return state.withLock { $0.claimed.contains(event.number) }
  }

  /// What came of the watched questions; they are watched no longer.
  func conclude() -> [LateFinding] {
    goOnWithBounds()
    let (bounds, late) = state.withLock { state in
      defer { (state.bounds, state.late) = ([], []) }
      return (state.bounds, state.late)
    }
    var findings: [LateFinding] = []
    // Patterns are asked with no lock held: they are the test's own code.
    for var watch in late {
      watch.goOn(journal.events(from: watch.nextEvent))
      claim(watch.evaluation.claimed)
      if let event = watch.answer { findings.append(.answered(watch, event)) }
    }
    for (_, watch) in bounds {
      let extras = watch.extras.filter { event in !state.withLock { $0.claimed.contains(event.number) } }
      claim(extras)
      if !extras.isEmpty { findings.append(.exceeded(watch, extras)) }
    }
    return state.withLock { state in
      defer { state.findings = [] }
      return state.findings + findings
    }
  }

  /// Forgets all claims, and keeps what was found until then.
  func reset() {
    let findings = conclude()
    state.withLock { $0 = State(nextBound: $0.nextBound, findings: findings) }
  }

  /// Goes on with each bound, in the order of the waits.
  ///
  /// Patterns are asked with no lock held: they are the test's own code. Of threads that go on with one bound at once,
  /// the first to come back is believed and the others look again, so that no event is counted twice and no bound is
  /// out of sight meanwhile.
  private func goOnWithBounds() {
    var index = 0
    while let (bound, claimed) = state.withLock({ state in
      state.bounds.indices.contains(index) ? (state.bounds[index], state.claimed) : nil
    }) {
      var watch = bound.watch
      let fitting = watch.goOn(journal.events(from: watch.nextEvent), claimed: claimed)
      let isBelieved = state.withLock { state in
        guard state.bounds.indices.contains(index), state.bounds[index].number == bound.number,
          state.bounds[index].watch.nextEvent == bound.watch.nextEvent
        else { return false }
        state.claimed.formUnion(fitting.lazy.map(\.number))
        state.bounds[index].watch = watch
        return true
      }
      if isBelieved { index += 1 }
    }
  }
}
