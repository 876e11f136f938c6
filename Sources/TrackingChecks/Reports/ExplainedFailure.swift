import TrackingModel
import TrackingPatterns
import TrackingServer

/// A failed check with its explanation, from which its report takes the parts.
struct ExplainedFailure {
  let call: CheckCall
  let end: CheckEnd
  let context: FailureContext
  let finding: Finding
  let explanation: Explanation
  let near: NearMisses
  let headline: Headline
  private let names: CallSiteNames

  init(of run: CheckRun, _ end: CheckEnd, _ context: FailureContext) {
    let call = run.call
    (self.call, self.end, self.context) = (call, end, context)
    let finding = Finding(of: run, end, context)
    self.finding = finding
    var explanation = run.explain(finding)
    let names = CallSiteNames(among: context.entries)
    let near = NearMisses(of: explanation, to: call.check, context, on: finding.scale, names)
    if let headline = end.headline(on: run, finding) {
      (explanation.headline, explanation.reason, explanation.brief, explanation.reduced) = (headline, "", nil, nil)
    }
    (self.explanation, self.near, self.names) = (explanation, near, names)
    var missing = MissingReason(explanation, near, context, finding, end)
    let reason = explanation.reason ?? missing?.clause
    missing?.showsValue = false
    headline = explanation.headline(
      near.nearest.first, reasons: [reason ?? "", explanation.reason ?? missing?.clause ?? ""])
  }
}

extension Finding {
  fileprivate init(of run: CheckRun, _ end: CheckEnd, _ context: FailureContext) {
    let check = run.call.check
    var scale = run.scale
    scale.isOver = !end.isOpen
    self.init(
      entries: context.entries(for: check).filter { $0.arrival <= scale.deadline && check.kinds.contains($0) },
      kinds: check.kinds, scale: scale, time: end.time(of: run.call, context), programEnd: end.programEnd(context),
      isOfExpectation: end.isOfExpectation)
  }
}

extension Explanation {
  /// Returns the whole headline, in the longest form of which only params must be left out, and preferably none that differs.
  ///
  /// - Parameter reasons: The reason for what is missing, and a shorter one.
  fileprivate func headline(_ nearest: NearMisses.Nearest?, reasons: [Headline]) -> Headline {
    let reduced = nearest?.expected.flatMap { self.reduced?($0) }
    let lines = reasons.map { reason in
      [headline, reduced, brief].compactMap(\.self).map { form -> Headline in
        let line: Headline = "\(form)\(reason)"
        return line.sparing(nearest?.differing ?? [])
      }
    }
    if let whole = lines.first?.first, !whole.isShortened { return whole }
    let short = lines.flatMap { $0.dropFirst(reduced == nil ? 0 : 1).filter(\.fits) }
    return short.first(where: \.keepsDifferences) ?? short.first ?? lines[0][lines[0].count - 1]
  }
}

// MARK: - Parts of the report

extension ExplainedFailure {
  private var kind: any CheckKind { call.check.kind }
  private var kinds: EntryKinds { finding.kinds }
  var isMissing: Bool { !explanation.missing.isEmpty }

  /// The whole check in words, if they don't fit into the headline.
  var expected: String? {
    kind.listsPatterns || kind.patterns.isEmpty || headline.names(kind.patterns) ? nil : "\(call.check)"
  }

  var listedPatterns: [String] { kind.listsPatterns ? kind.patterns.map(\.description) : [] }

  /// Whether the headline names the only rejected submission, so that only its body is left to show.
  var namesRejection: Bool {
    guard context.rejections.count(where: { !$0.isOfAnotherSession && !$0.isProblemReport }) == 1 else { return false }
    return kind.scope == .delivery
      ? !headline.isShortened : context.rejections.contains { headline.line.contains(VisibleText.line($0.reason)) }
  }

  var namesLosses: Bool { kind.scope == .delivery && explanation.kind == .lost && context.lost.count == 1 }

  /// The events that a failure of delivery lists because a part of them couldn't be encoded.
  var incomplete: [JournalEntry] { kind.scope == .delivery ? explanation.about : [] }

  var timeline: Timeline {
    let entries = context.entries.filter { entry in
      entry.number >= context.origin.entry || explanation.responseNotes[entry.number] != nil
        || near.early.contains { $0.moment.entry.number == entry.number }
    }
    return Timeline(
      of: entries, on: finding.scale, notes: explanation, since: context.origin, kinds: kinds,
      showsResponses: call.check.readsResponses)
  }

  /// The sentences after the headline.
  var details: [String] {
    let own = explanation.details.split(separator: "\n").map(String.init).filter { !headline.says($0) }
    return own + near.sentences(on: finding.scale)
      + [near.absentProcess.map(context.absence), callSites, arrivals, submissions].compactMap(\.self)
  }

  private var callSites: String? {
    // Entries before the mark for one pattern may be too late for another.
    let about = Dictionary((explanation.about + near.outOfTime).map { ($0.number, $0) }) { first, _ in first }
    return names.sentence(about: about.values.sorted { $0.number < $1.number })
  }

  /// Names what arrived, if it is too much for the list and nothing is near.
  private var arrivals: String? {
    let entries = finding.entries
    guard isMissing, near.nearest.isEmpty, !near.lacksNothing, entries.count > Timeline.longestList else {
      return nil
    }
    return "\(kinds.counted(entries.count)) arrived: \(ResultText.names(of: entries))."
  }

  private var submissions: String? {
    guard isMissing, !end.hadNoServer, finding.entries.allSatisfy({ $0.request == nil }), let path = context.eventPath,
      explanation.missing.contains(where: { $0.pattern.requests?.mayMeanSubmissions(to: path) == true })
    else { return nil }
    return "An accepted submission of events to POST \(path) is not a request: wait for its events."
  }

  /// A sentence about a closed connection or a silent app.
  var closing: String? {
    let deadline = finding.scale.deadline
    if let (closed, last) = context.connectionEnd(before: deadline) {
      let time = TimeText.duration(closed - last.arrival)
      return "The app's connection closed \(time) after its last event: did the app quit or crash?"
    }
    guard end.isAtDeadline, let (last, time) = context.pause(before: deadline) else { return nil }
    return "The app is running and has sent nothing since #\(last.number), \(TimeText.duration(time)) ago."
  }

  /// The explanation if nothing arrived at all.
  var silence: String? {
    // Without a server, there is no other reason.
    guard !end.hadNoServer, !context.entries(for: call.check).contains(where: kinds.contains),
      context.moment(after: kinds) == nil, context.rejections.isEmpty
    else { return nil }
    return context.silence(about: kinds)
  }
}
