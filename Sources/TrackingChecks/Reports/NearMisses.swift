import TrackingModel
import TrackingPatterns
import TrackingServer

/// Entries that nearly passed a check: too early, too late, or slightly different.
struct NearMisses {
  /// A match outside the check's time.
  struct OutOfTimeMatch {
    /// The pattern's position: "The 3rd"; empty if there is only one.
    let title: String
    let moment: TimelineMoment
  }

  struct Nearest {
    /// The pattern's position: "The 3rd"; empty if there is only one.
    var title = ""
    let number: Int
    /// The time of arrival: "120 ms after the wait began".
    let place: String
    let difference: [String]
    /// The expected event, reduced to the differing params: "purchase(…, currency: \"EUR\")"; `nil` for a request.
    var expected: Headline?
    /// The paths of the params that differ.
    var differing: [String] = []
    /// The differences as a phrase: "has a similar name: \"purchased\"".
    let summary: String
    /// The summary without a value, for which the line may lack room: "differs in \"total\"".
    var brief: String?
    let differences: [Difference]
    var isEvent = true
    /// Whether the event has the pattern's name, or a similar one.
    var hasName = false
    var callSite: String?
  }

  /// Per pattern without a match, the last match before the mark.
  let early: [OutOfTimeMatch]
  let tardy: [OutOfTimeMatch]
  /// The entries nearest to the patterns that no late entry matches.
  let nearest: [Nearest]
  /// The process of the first pattern without a match, if it hasn't connected.
  let absentProcess: String?
  /// Whether each pattern has a match, even a late one.
  let lacksNothing: Bool

  /// The maximum number of patterns to explain.
  private static let mostNearest = 3
  /// The maximum number of entries, from the last one back, to compare with a pattern.
  private static let mostCandidates = 10_000

  init(
    of explanation: Explanation, to check: TrackingCheck<CheckOutcome>, _ context: FailureContext,
    on scale: Timescale,
    _ names: CallSiteNames
  ) {
    let moments =
      check.readsResponses
      ? TimelineMoment.all(of: context.entries, since: .beginning)
      : context.entries.map { TimelineMoment($0) }
    func matches(_ pattern: EntryPattern, _ moment: TimelineMoment) -> Bool {
      check.readsResponses ? pattern.matches(moment) : pattern.matches(moment.entry)
    }
    early = explanation.missing.compactMap { missing in
      moments.last { $0.isBefore(context.origin) && matches(missing.pattern, $0) }
        .map { OutOfTimeMatch(title: missing.title, moment: $0) }
    }
    let tardy = explanation.missing.compactMap { missing in
      moments.first {
        $0.instant > scale.deadline && !$0.isBefore(context.origin) && matches(missing.pattern, $0)
      }.map { OutOfTimeMatch(title: missing.title, moment: $0) }
    }
    self.tardy = tardy
    // A late match needs no nearest miss. A match before the mark does: it may have been right then, and be wrong now.
    let missing = explanation.missing.filter { missing in !tardy.contains { $0.title == missing.title } }
    lacksNothing = missing.isEmpty
    absentProcess = missing.lazy.compactMap { context.absentProcess(of: $0.pattern) }.first
    let candidates = context.entries(for: check).suffix(Self.mostCandidates)
      .filter { explanation.notes[$0.number] == nil && check.kinds.contains($0) }
    nearest = missing.prefix(Self.mostNearest).compactMap { missing in
      Nearest(missing, among: candidates, scale, names, showsResponses: check.readsResponses)
    }
  }

  var outOfTime: [JournalEntry] { (early + tardy).map(\.moment.entry) }

  /// Returns a sentence for each early or late match, if there are several patterns.
  func sentences(on scale: Timescale) -> [String] {
    early.filter { !$0.title.isEmpty }.map { "\($0.title) arrived before the mark: \(scale.place(of: $0.moment))." }
      + tardy.filter { !$0.title.isEmpty }.map { "\($0.title) arrived too late: \(scale.place(of: $0.moment))." }
  }
}

extension NearMisses.Nearest {
  /// The difference above which a request has little in common with the pattern.
  private static let farthestRequest = 0.9

  fileprivate init?(
    _ missing: Explanation.Missing, among entries: [JournalEntry], _ scale: Timescale, _ names: CallSiteNames,
    showsResponses: Bool
  ) {
    let (title, pattern) = (missing.title, missing.pattern)
    if let events = pattern.events, let miss = Self.event(nearestTo: events, among: entries) {
      self.init(
        title: title, number: miss.event.number, place: scale.place(at: miss.event.arrival),
        difference: EventDiff.lines(for: miss.event.event, miss.mismatch),
        summary: EventDiff.summary(of: miss.mismatch), differences: miss.mismatch.differences,
        callSite: names.sentence(about: [.event(miss.event)]))
      brief = EventDiff.summary(of: miss.mismatch, showsValue: false)
      let params = EventDiff.expected(by: miss.mismatch)
      differing = params.compactMap(\.path)
      let process: Headline = EventDiff.expectedProcess(by: miss.mismatch).map { " from \"\(name: $0)\"" } ?? ""
      expected = events.name.map { "\(name: $0)(\(params: [nil] + params))\(process)" }
      hasName = events.name.map { EditDistance.isNear(miss.event.event.name, $0) } ?? false
    } else if let requests = pattern.requests {
      let misses = entries.compactMap(\.request).map { (request: $0, comparison: requests.comparison(with: $0)) }
      let nearest = misses.filter { $0.comparison.weight > 0 }.min { $0.comparison.weight < $1.comparison.weight }
      guard let nearest, nearest.comparison.weight <= Self.farthestRequest else { return nil }
      let moment = TimelineMoment(
        entry: .request(nearest.request), isResponse: showsResponses && requests.dependsOnResponse)
      self.init(
        title: title, number: nearest.request.number, place: scale.time(of: moment),
        difference: nearest.comparison.lines(wanted: "expected", width: Excerpt.columns - 4),
        summary: nearest.comparison.summary, differences: nearest.comparison.differences, isEvent: false)
    } else {
      return nil
    }
  }

  /// Returns the event that differs least from the pattern, among those with its name.
  ///
  /// An event whose only difference is a few letters of the name is nearer. If no event has the pattern's name, an event is near if its name
  /// differs in a few letters, or if more of its params are equal than not.
  private static func event(
    nearestTo pattern: EventPattern, among entries: [JournalEntry]
  ) -> (event: RecordedEvent, mismatch: EventMismatch)? {
    let misses = entries.compactMap(\.event).compactMap { recorded in
      pattern.mismatch(of: recorded.event, from: recorded.process).map { (event: recorded, mismatch: $0) }
    }
    func nearest(_ misses: [(event: RecordedEvent, mismatch: EventMismatch)]) -> (RecordedEvent, EventMismatch)? {
      NearestMiss.index(in: misses.map(\.mismatch)).map { misses[$0] }
    }
    guard let name = pattern.name else {
      return nearest(misses).flatMap { $0.1.hasOtherName && !$0.1.isMostlyEqual ? nil : $0 }
    }
    func isNear(_ event: RecordedEvent) -> Bool { EditDistance.isNear(event.event.name, name) }
    if misses.contains(where: { $0.event.event.name.isSameText(as: name) }) {
      return nearest(
        misses.filter {
          $0.event.event.name.isSameText(as: name) || isNear($0.event) && $0.mismatch.isOfNameAlone
        })
    }
    return nearest(misses).flatMap { isNear($0.0) || $0.1.isMostlyEqual ? $0 : nil }
  }
}
