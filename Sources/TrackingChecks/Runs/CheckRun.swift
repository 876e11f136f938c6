import TrackingModel
import TrackingServer

/// A run of a check on a timeline.
///
/// It has all rules of waiting: which entries count, deadlines, settling, the order of arrivals and responses, and what counts after the check has
/// passed. It starts no thread, doesn't sleep and reads no clock: its driver passes the time, and makes it read a timeline, which calls the
/// test's closures.
package struct CheckRun: Sendable {
  package enum State: Sendable {
    /// May be decided by entries until the deadline.
    case open(until: ContinuousClock.Instant)
    /// Passes if nothing else arrives before this time.
    case holding(until: ContinuousClock.Instant)
    case met
    case broken
    case tooLate

    package var isGood: Bool {
      switch self {
      case .holding, .met: true
      case .open, .broken, .tooLate: false
      }
    }
  }

  /// The stage in a check's life.
  private enum Stage: Sendable {
    case waiting
    /// A count that holds and counts further matches: the number so far, and the numbers of entries that are read again.
    case counting(counted: Int, known: Set<Int>)
    /// A check whose wait timed out. It may pass late, but not by the matches of earlier waits.
    case late(known: Set<Int>)
  }

  package let call: CheckCall
  package let interest: JournalInterest
  /// The start and the deadline.
  package let scale: Timescale
  /// The check with what it has found.
  package private(set) var check: any CheckKind
  /// The number of the first unread entry.
  package private(set) var next: Int
  /// The timeline's revision at the last look; `nil` if changes to earlier entries don't matter.
  package private(set) var revision: Int?
  /// The moment of the late match; `nil` if it isn't an entry.
  package private(set) var lateMatch: TimelineMoment?
  package private(set) var passedLate = false

  /// Whether XCTest waits for the check.
  package private(set) var isOfExpectation = false

  /// The check before it has read an entry.
  private var unread: any CheckKind
  private let context: CheckContext
  private var others: OtherSessions?
  private let settling: Duration
  private let kinds: EntryKinds
  private let readsResponses: Bool
  private var stage = Stage.waiting
  /// The arrival of the last relevant entry.
  private var lastConcern: ContinuousClock.Instant?
  /// Whether an entry arrived after the check's time.
  private var isOver = false
  /// Whether requests from before the start, whose responses may have been sent after it, have been read.
  private var hasLookedBack = false

  package init(_ call: CheckCall, in context: CheckContext, from began: ContinuousClock.Instant) {
    self.init(
      call, in: context, on: Timescale(began: began, deadline: began + .clamping(seconds: call.timeout)),
      settling: .clamping(seconds: call.settling))
  }

  /// Creates a check of everything received by a moment, without a wait.
  package init(_ call: CheckCall, in context: CheckContext, asOf scale: Timescale) {
    self.init(call, in: context, on: scale, settling: .clamping(seconds: .infinity))
  }

  /// Creates a count that XCTest waits for, which counts from the first match on.
  package init(expecting call: CheckCall, from began: ContinuousClock.Instant) {
    self.init(call, in: CheckContext(), on: Timescale(began: began, deadline: began), settling: .zero)
    stage = .counting(counted: 0, known: [])
    isOfExpectation = true
  }

  private init(_ call: CheckCall, in context: CheckContext, on scale: Timescale, settling: Duration) {
    let kind = call.check.kind
    self.call = call
    self.scale = scale
    self.settling = settling
    self.context = context
    next = call.origin.entry
    unread = kind
    check = kind.begun(in: context)
    others = OtherSessions(to: kind, in: context)
    kinds = kind.kinds
    var interest = kind.interest
    interest.rejections = interest.rejections || others != nil
    self.interest = interest
    // The second asks each pattern, which costs allocations.
    readsResponses = interest.revisions && kind.readsResponses
    revision = interest.revisions ? -1 : nil
  }
}

// MARK: - Reading

extension CheckRun {
  /// The check's state, but broken if it rests on silence in which another session's submission was refused.
  package var checkState: CheckState { isUncertain ? .broken : check.state }

  private var isUncertain: Bool { others?.makeUncertain(check) ?? false }

  /// Explains a failure, or the state of a check that may still pass.
  func explain(_ finding: Finding) -> Explanation {
    guard let others, isUncertain else { return check.explain(finding) }
    return others.explanation(of: call.check.kind.words, for: check)
  }

  /// The state, once everything that arrived before `now` has been read.
  package func state(at now: ContinuousClock.Instant) -> State {
    switch checkState {
    case .met: return .met
    case .broken: return .broken
    case .open: return isOver || now >= scale.deadline ? .tooLate : .open(until: scale.deadline)
    case .holding:
      let end = min(settled, scale.deadline)
      return isOver || now >= end ? .met : .holding(until: end)
    }
  }

  /// The entries that pass or fail the check.
  package var matched: [JournalEntry] { check.matched }

  /// The time at which a bound counts as met; not before the start, so that everything that had arrived by then is read.
  private var settled: ContinuousClock.Instant {
    let last = lastConcern ?? scale.began
    return max(scale.began, (call.countsEarlierSilence ? last : max(scale.began, last)) + settling)
  }

  /// Reads new entries; starts over if an earlier entry has changed.
  package mutating func read(_ timeline: any EntryTimeline) {
    guard !isDecided else { return }
    var entries = timeline.entries(from: first)
    // After the entries, so that a response that was sent before one of them arrived isn't missed.
    while let revision, revision != timeline.revision {
      beginAgain(timeline.revision)
      entries = timeline.entries(from: first)
    }
    if readsResponses {
      hasLookedBack = true
      for moment in TimelineMoment.all(of: entries, since: call.origin) {
        guard take(moment) else { break }
      }
    } else {
      for entry in entries {
        guard take(TimelineMoment(entry)) else { break }
      }
    }
    check.look(at: timeline)
    if case .late = stage { passedLate = passedLate || checkState.isGood }
  }

  private var first: Int { readsResponses && !hasLookedBack ? 1 : next }

  private mutating func beginAgain(_ revision: Int) {
    self.revision = revision
    check = unread.begun(in: context)
    others = OtherSessions(to: unread, in: context)
    next = call.origin.entry
    (hasLookedBack, isOver, lastConcern) = (false, false, nil)
  }

  /// Takes the next moment, and returns whether to continue.
  private mutating func take(_ moment: TimelineMoment) -> Bool {
    guard !isDecided, !isAfterEnd(moment) else { return false }
    if !moment.isResponse { next = moment.entry.number + 1 }
    guard !isKnown(moment.entry), concerns(moment) else { return true }
    lastConcern = max(lastConcern ?? moment.instant, moment.instant)
    if case .late = stage, checkState.isGood {
      (lateMatch, passedLate) = (moment, true)
    }
    return !isDecided
  }

  /// Lets the check take a moment, and returns whether it concerns the check.
  private mutating func concerns(_ moment: TimelineMoment) -> Bool {
    if let rejection = moment.entry.rejection { return others?.take(rejection) ?? false }
    // A decided check may still wait for submissions of other sessions.
    let isOver = others != nil && check.state.isFinal && !check.countsOn
    return kinds.contains(moment.entry) && !isOver && check.take(moment)
  }

  private var isDecided: Bool {
    switch stage {
    // A failure counts all submissions of other sessions.
    case .waiting: checkState.isFinal && !check.countsOn && !isUncertain
    case .counting: false
    case .late: passedLate
    }
  }

  /// Whether a moment is too late: after the deadline, or after the silence that met a bound.
  private mutating func isAfterEnd(_ moment: TimelineMoment) -> Bool {
    guard case .waiting = stage else { return false }
    // Even if it is read much later.
    if moment.instant > scale.deadline || checkState == .holding && moment.instant > settled {
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
  /// The run of a met count, which counts further matches; `nil` for a check without a bound.
  package var countingOn: CheckRun? {
    guard call.check.kind.bound != nil else { return nil }
    // Requests already read may still match, by a later response.
    let readsAgain = revision != nil
    var run = CheckRun(call, in: CheckContext(), on: scale, settling: settling)
    if !readsAgain { run.next = next }
    let undecided = check.undecided
    // Rarely needed, and concatenation copies the array.
    let counted = undecided.isEmpty ? matched : matched + undecided
    run.stage = .counting(counted: counted.count, known: readsAgain ? Set(counted.map(\.number)) : [])
    return run
  }

  /// The run of a check whose wait has timed out; it may pass late.
  package var waitingOn: CheckRun {
    var run = self
    (run.check, run.unread) = (check.continuing, unread.continuing)
    run.stage = .late(known: Set(check.taken.map(\.number)))
    // Requests already read may get a response after the deadline.
    if readsResponses, let revision { run.beginAgain(revision) }
    return run
  }

  /// Returns the moment of the match that raises their number to `count`; `nil` if there are fewer.
  ///
  /// With only an upper bound, entries for which the check can't tell whether they match count, too.
  package func moment(ofMatch count: Int) -> TimelineMoment? {
    let isBoundAlone = call.check.kind.bound?.least == 0
    let matched = isBoundAlone ? matched + check.undecided : matched
    guard matched.count >= count else { return nil }
    return matched.map { call.pattern.moment(of: $0) }.sorted(by: <)[count - 1]
  }

  /// Whether another run of the same check has read further.
  func isBehind(_ other: CheckRun) -> Bool { (revision ?? 0, next) <= (other.revision ?? 0, other.next) }

  /// The matches and possible matches beyond the upper bound.
  package var extras: [JournalEntry] {
    guard case .counting(let counted, _) = stage, let most = call.check.kind.bound?.most else { return [] }
    var all = matched
    if !check.undecided.isEmpty {
      let pattern = call.pattern
      all = (matched + check.undecided).sorted { pattern.moment(of: $0) < pattern.moment(of: $1) }
    }
    return Array(all.dropFirst(max(most - counted, 0)))
  }

  /// The numbers of entries that the check allows: up to an upper bound, or the late match.
  package var allowed: Set<Int> {
    switch stage {
    case .waiting: []
    case .counting(let counted, _):
      Set(matched.prefix(call.check.kind.bound?.most.map { max($0 - counted, 0) } ?? .max).map(\.number))
    case .late: Set(passedLate ? matched.map(\.number) : [])
    }
  }
}
