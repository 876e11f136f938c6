import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// The nearest reason why a match is missing, as the end of a headline: "; #2 has a similar name: \"purchased\"".
///
/// Names an entry only if it is probably the missing one: for an event with a name, an entry that merely shares a few params isn't.
struct MissingReason {
  private let misses: NearMisses
  private let context: FailureContext
  /// The first pattern without a match.
  private let pattern: EntryPattern
  private let finding: Finding
  private let isAtDeadline: Bool
  /// Whether the clause shows the only value that differs.
  var showsValue = true

  /// Returns `nil` if no match is missing, or if there was no server, which is the reason.
  init?(
    _ explanation: Explanation, _ misses: NearMisses, _ context: FailureContext, _ finding: Finding, _ end: CheckEnd
  ) {
    guard let missing = explanation.missing.first, !end.hadNoServer else { return nil }
    (self.misses, self.context, pattern, self.finding) = (misses, context, missing.pattern, finding)
    isAtDeadline = end.isAtDeadline
  }

  private var kinds: EntryKinds { finding.kinds }

  private var scale: Timescale { finding.scale }

  var clause: Headline {
    let reasons: [() -> Headline?] =
      name == nil
      ? [
        { late }, { misses.nearest.first.map(clause) }, { early }, { loss }, { absentProcess }, { rejection },
        { unmatched }, { end }, { strangers }, { silence }, { pause },
      ]
      : [
        { late }, { early }, { rejectionOfName }, { otherItem }, { misses.nearest.first(where: \.hasName).map(clause) },
        { loss }, { absentProcess }, { end }, { misses.nearest.first.map(clause) }, { unmatched }, { rejection },
        { strangers }, { silence }, { pause },
      ]
    return reasons.lazy.compactMap { $0() }.first ?? ""
  }

  /// The name of the missing event, if the pattern has one.
  private var name: String? { pattern.requests == nil ? pattern.events?.name : nil }

  private var late: Headline? {
    misses.tardy.first.map {
      "; #\($0.moment.entry.number) \($0.moment.verb) \(TimeText.duration($0.moment.instant - scale.deadline)) too late"
    }
  }

  private var early: Headline? {
    misses.early.last.map { "; #\($0.moment.entry.number) \($0.moment.verb) before the mark" }
  }

  private func clause(_ nearest: NearMisses.Nearest) -> Headline {
    "; #\(nearest.number) \(foreign: showsValue ? nearest.summary : nearest.brief ?? nearest.summary)"
  }

  private var absentProcess: Headline? {
    misses.absentProcess.map { "; no process named \"\(name: $0)\" has connected" }
  }

  private var rejections: [RejectedSubmission] {
    context.rejections.filter { !$0.isOfAnotherSession && !$0.isProblemReport }
  }

  /// A rejected submission of the missing event, with the reason.
  private var rejectionOfName: Headline? {
    name.flatMap { name in rejections.last { $0.holds(name) } }.map { rejection in
      "; #\(rejection.number) was rejected (\(rejection.status)): \(foreign: rejection.cause.text)"
    }
  }

  /// An SDK's item that has the name of the missing event, but doesn't count as one.
  private var otherItem: Headline? {
    name.flatMap { name in context.others.last { $0.items.name.isSameText(as: name) }?.items }.map {
      "; \($0.kind) \"\(name: $0.name)\" arrived, but not as an event"
    }
  }

  /// The events whose numbers show that they were tracked.
  private var loss: Headline? {
    guard pattern.events != nil, !context.lost.isEmpty else { return nil }
    return "; \(context.lost.words(isOver: scale.isOver))"
  }

  /// The submissions that were refused for their session, if there is nothing else.
  private var strangers: Headline? {
    let count = context.rejections.count(where: \.isOfAnotherSession)
    guard count > 0, finding.entries.isEmpty else { return nil }
    return "; \(count.counted("submission")) came with another session's token"
  }

  private var rejection: Headline? {
    rejections.last.map { "; a submission was rejected (\($0.status))" }
  }

  private var unmatched: Headline? {
    context.unmatched.isEmpty ? nil : "; \(context.unmatched.count.counted("request")) matched no stub"
  }

  /// The end of the app, in the test's own words if it has described one.
  private var end: Headline? {
    if finding.programEnd != nil { return nil }
    if let text = context.describedEnd { return "; \(foreign: text)" }
    return context.connectionEnd(before: scale.deadline).map { closed, last in
      "; the app's connection closed \(TimeText.duration(closed - last.arrival)) after #\(last.number)"
    }
  }

  private var pause: Headline? {
    guard isAtDeadline else { return nil }
    return context.pause(before: scale.deadline).map { "; the app runs, but sent nothing after #\($0.last.number)" }
  }

  private var silence: Headline? {
    if let moment = context.moment(after: kinds) {
      return context.counted.isEmpty
        ? "; nothing arrived since \(moment)"
        : finding.entries.isEmpty ? "; no \(kinds.singular) arrived since \(moment)" : nil
    }
    if context.counted.isEmpty { return "\(context.nothing(of: kinds))" }
    return finding.entries.isEmpty ? "; no \(kinds.singular) arrived at all" : nil
  }
}

extension RejectedSubmission {
  /// Whether a whole value in the body is this text, in JSON or in a form; `false` for a body that isn't text.
  ///
  /// Searches the text, since a rejected body may be invalid or cut.
  fileprivate func holds(_ value: String) -> Bool {
    guard !value.isEmpty, let body = String(data: body, encoding: .utf8) else { return false }
    let quoted = "\(TrackingValue.string(value))"
    let isInJSON = body.ranges(of: quoted).contains { range in
      // A name with a colon after it is a member's.
      body[range.upperBound...].first { !$0.isWhitespace } != ":"
    }
    return isInJSON
      || body.split(whereSeparator: { $0 == "&" || $0.isNewline }).contains { pair in
        guard let start = pair.firstIndex(of: "=") else { return false }
        let text = pair[pair.index(after: start)...].replacing("+", with: " ")
        return (text.removingPercentEncoding ?? String(text)).isSameText(as: value)
      }
  }
}
