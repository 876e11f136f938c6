import TrackingModel
import TrackingServer

/// A check that is being made of a timeline: its evaluation so far, and how far it has read.
///
/// All rules of waiting are here: which entries count, deadlines, settling, the order of arrivals and responses, and what counts after the check has passed. It starts no
/// thread, doesn't sleep and asks no clock: its driver lets it read a timeline, tells it the time, and calls the test's closures by doing so.
package struct CheckRun: Sendable {
  /// The state of a check at a time.
  package enum State: Sendable {
    /// Not decided; entries may decide it until the deadline.
    case open(until: ContinuousClock.Instant)
    /// Passes if nothing more arrives until then.
    case holding(until: ContinuousClock.Instant)
    case met
    case broken
    /// Not passed before the deadline.
    case tooLate

    /// Whether the check passes so far.
    package var isGood: Bool {
      switch self {
      case .holding, .met: true
      case .open, .broken, .tooLate: false
      }
    }
  }

  /// The part of a check's life that it is in.
  private enum Stage: Sendable {
    /// Its wait hasn't ended.
    case waiting
    /// A count holds, and counts further matches: the number of matches so far, and those that are read again.
    case counting(counted: Int, known: Set<Int>)
    /// Its wait has timed out; it may still pass, but not by the matches of earlier waits.
    case late(known: Set<Int>)
  }

  package let call: CheckCall
  /// The entries that can change its state.
  package let interest: JournalInterest
  /// The beginning and the deadline.
  package let scale: Timescale
  package private(set) var evaluation: any Evaluation
  /// The number of the first entry that it has not looked at.
  package private(set) var next: Int
  /// The timeline's revision at the last look; `nil` if changes to earlier entries do not matter.
  package private(set) var revision: Int?
  /// The moment of the late match; also `nil` if it isn't an entry.
  package private(set) var lateMatch: TimelineMoment?
  /// Whether it passed late.
  package private(set) var passedLate = false

  /// Whether it belongs to an expectation, which XCTest waits for.
  package private(set) var isOfExpectation = false

  private var makeEvaluation: @Sendable () -> any Evaluation
  private let settling: Duration
  private let kinds: EntryKinds
  private let ordersResponses: Bool
  private var stage = Stage.waiting
  /// The arrival of the last entry that concerns the check.
  private var lastConcern: ContinuousClock.Instant?
  /// Whether an entry was seen that arrived after the check's time.
  private var isOver = false
  /// Whether requests from before the origin have been read, whose responses may have been sent after it.
  private var hasLookedBack = false

  /// A check from a moment on.
  ///
  /// - Parameter setting: The matches of earlier waits, and for whom it matches entries itself.
  package init(_ call: CheckCall, in setting: CheckContext, from began: ContinuousClock.Instant) {
    self.init(
      call, on: Timescale(began: began, deadline: began + .clamping(seconds: call.timeout)),
      settling: .clamping(seconds: call.settling),
      next: call.origin.entry
    ) { call.check.form.evaluation(in: setting) }
  }

  /// A check about everything that has arrived until a moment, without a wait.
  package init(_ call: CheckCall, in setting: CheckContext, asOf scale: Timescale) {
    self.init(call, on: scale, settling: .clamping(seconds: .infinity), next: call.origin.entry) {
      call.check.form.evaluation(in: setting)
    }
  }

  /// A count that XCTest waits for, and which counts from the first match on.
  package init(expecting call: CheckCall, from began: ContinuousClock.Instant) {
    let pattern = call.pattern
    self.init(call, on: Timescale(began: began, deadline: began), settling: .zero, next: call.origin.entry) {
      CountEvaluation(.atLeast(0), of: pattern)
    }
    stage = .counting(counted: 0, known: [])
    isOfExpectation = true
  }

  private init(
    _ call: CheckCall, on scale: Timescale, settling: Duration, next: Int,
    _ makeEvaluation: @escaping @Sendable () -> any Evaluation
  ) {
    self.call = call
    self.scale = scale
    self.settling = settling
    self.next = next
    self.makeEvaluation = makeEvaluation
    evaluation = makeEvaluation()
    let form = call.check.form
    kinds = form.kinds
    interest = form.interest
    ordersResponses = form.isOrdered && interest.revisions
    revision = interest.revisions ? -1 : nil
  }
}

// MARK: - Reading

extension CheckRun {
  /// The state at a time, after everything that arrived before that time has been read.
  package func state(at now: ContinuousClock.Instant) -> State {
    switch evaluation.state {
    case .met: return .met
    case .broken: return .broken
    case .open: return isOver || now >= scale.deadline ? .tooLate : .open(until: scale.deadline)
    case .holding:
      let end = min(settled, scale.deadline)
      return isOver || now >= end ? .met : .holding(until: end)
    }
  }

  /// The entries that pass the check, or that fail it.
  package var matched: [JournalEntry] { evaluation.matched }

  /// The end of the silence for which a bound is believed; not before the beginning, so that everything that had arrived by then is read.
  private var settled: ContinuousClock.Instant {
    let last = lastConcern ?? scale.began
    return max(scale.began, (call.countsEarlierSilence ? last : max(scale.began, last)) + settling)
  }

  /// Reads what has arrived, and begins again if an earlier entry has changed.
  package mutating func read(_ timeline: any EntryTimeline) {
    guard !isDecided else { return }
    var entries = timeline.entries(from: first)
    // After the entries, so that no response is overlooked that was sent before one of them arrived.
    while let revision, revision != timeline.revision {
      beginAgain(timeline.revision)
      entries = timeline.entries(from: first)
    }
    if ordersResponses {
      hasLookedBack = true
      for moment in TimelineMoment.all(of: entries, since: call.origin) {
        guard take(moment) else { break }
      }
    } else {
      for entry in entries {
        guard take(TimelineMoment(entry)) else { break }
      }
    }
    evaluation.look(at: timeline)
    if case .late = stage { passedLate = passedLate || evaluation.state.isGood }
  }

  /// The number of the first entry to read.
  private var first: Int { ordersResponses && !hasLookedBack ? 1 : next }

  private mutating func beginAgain(_ revision: Int) {
    self.revision = revision
    evaluation = makeEvaluation()
    next = call.origin.entry
    (hasLookedBack, isOver, lastConcern) = (false, false, nil)
  }

  /// Looks at the next moment.
  ///
  /// - Returns: Whether to continue.
  private mutating func take(_ moment: TimelineMoment) -> Bool {
    guard !isDecided, !isAfterEnd(moment) else { return false }
    if !moment.isResponse { next = moment.entry.number + 1 }
    guard kinds.contains(moment.entry), !isKnown(moment.entry), evaluation.take(moment) else { return true }
    lastConcern = max(lastConcern ?? moment.instant, moment.instant)
    if case .late = stage, evaluation.state.isGood {
      (lateMatch, passedLate) = (moment, true)
    }
    return !isDecided
  }

  private var isDecided: Bool {
    switch stage {
    case .waiting: evaluation.state.isFinal && !evaluation.countsOn
    case .counting: false
    case .late: passedLate
    }
  }

  /// Whether a moment is too late: after the deadline, or after the silence that a bound was believed for.
  private mutating func isAfterEnd(_ moment: TimelineMoment) -> Bool {
    guard case .waiting = stage else { return false }
    // However late it is looked at.
    if moment.instant > scale.deadline || evaluation.state == .holding && moment.instant > settled {
      isOver = true
    }
    return isOver
  }

  private func isKnown(_ entry: JournalEntry) -> Bool {
    switch stage {
    case .waiting: false
    case .counting(_, let known), .late(let known): known.contains(entry.number)
    }
  }
}

// MARK: - After the check

extension CheckRun {
  /// The run of a count that holds, which counts further matches; `nil` for a check without a bound.
  package var countingOn: CheckRun? {
    guard call.check.form.bound != nil else { return nil }
    let pattern = call.pattern
    // Requests that it has read may match by responses that are sent later.
    let readsAgain = revision != nil
    var run = CheckRun(
      call, on: scale, settling: settling, next: readsAgain ? call.origin.entry : next
    ) { CountEvaluation(.atLeast(0), of: pattern) }
    let undecided = evaluation.undecided
    // Hardly ever there, and a sum of arrays is a new one.
    let counted = undecided.isEmpty ? matched : matched + undecided
    run.stage = .counting(counted: counted.count, known: readsAgain ? Set(counted.map(\.number)) : [])
    return run
  }

  /// The run of a check whose wait has timed out, which may pass late.
  package var waitingOn: CheckRun {
    let form = call.check.form
    var run = self
    run.evaluation = form.continuing(evaluation)
    run.makeEvaluation = { [makeEvaluation] in form.continuing(makeEvaluation()) }
    run.stage = .late(known: Set(evaluation.taken.map(\.number)))
    // Responses after the deadline may belong to requests that it has read.
    if ordersResponses, let revision { run.beginAgain(revision) }
    return run
  }

  /// The moment of the match that brings their number to `count`; `nil` if there are fewer.
  ///
  /// With an upper bound alone, entries for which the check can't tell whether they match are counted, too.
  package func moment(ofMatch count: Int) -> TimelineMoment? {
    let isBoundAlone = call.check.form.bound?.least == 0
    let matched = isBoundAlone ? matched + evaluation.undecided : matched
    guard matched.count >= count else { return nil }
    return matched.map { call.pattern.moment(of: $0) }.sorted(by: <)[count - 1]
  }

  /// Whether another run of the same check has read further.
  func isBehind(_ other: CheckRun) -> Bool { (revision ?? 0, next) <= (other.revision ?? 0, other.next) }

  /// The matches, and the entries that may be some, that a bound has no room for.
  package var extras: [JournalEntry] {
    guard case .counting(let counted, _) = stage, let most = call.check.form.bound?.most else { return [] }
    let all = evaluation.undecided.isEmpty ? matched : (matched + evaluation.undecided).sorted { $0.number < $1.number }
    return Array(all.dropFirst(max(most - counted, 0)))
  }

  /// The numbers of the entries that the check accounts for: those up to an upper bound, or a late match.
  package var allowed: Set<Int> {
    switch stage {
    case .waiting: []
    case .counting(let counted, _):
      Set(matched.prefix(call.check.form.bound?.most.map { max($0 - counted, 0) } ?? .max).map(\.number))
    case .late: Set(passedLate ? matched.map(\.number) : [])
    }
  }
}
