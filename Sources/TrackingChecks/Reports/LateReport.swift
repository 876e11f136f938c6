import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// A finding about a check whose wait had returned; the text depends on nothing else.
package struct LateReport {
  enum Finding {
    /// A match arrived after the deadline by this time; `nil` if something other than an entry passed the check.
    case passedLate(by: Duration?)
    case exceeded
    /// More matches arrived than an expectation allows; the time of XCTest's wait is unknown.
    case expectationExceeded
  }

  let finding: Finding
  let check: TrackingCheck<CheckOutcome>
  let entries: [JournalEntry]
  let scale: Timescale
  var location = CodeLocation.wholeTest

  package var failure: CheckFailure { CheckFailure(kind: kind, message: text, location: location) }

  private var kind: CheckFailure.Kind {
    switch finding {
    case .passedLate: .late
    case .exceeded, .expectationExceeded: .tooMany
    }
  }

  private var text: String {
    let timeline = Timeline(of: entries, on: scale.withoutDeadline, showsResponses: check.readsResponses)
    let shown = FailureReport.longestList
    let list =
      entries.isEmpty
      ? [] : [timeline.title(shown: shown)] + timeline.lines(shown: shown).map { "    \($0)" }
    var advice: [String] = []
    if case .exceeded = finding { advice.append("No later wait expected \(entries.count == 1 ? "it" : "them").") }
    let sites = CallSiteNames(among: entries).sentence(about: entries)
    let sentences = advice + [sites].compactMap(\.self) + undecided.prefix(3)
    return ([headline.line] + sentences.map { Excerpt.wrapped($0) } + (list.isEmpty ? [] : [""]) + list)
      .joined(separator: "\n")
  }

  private var headline: Headline {
    let noun = EntryKinds(entries.map { $0.request == nil ? .events : .requests }).singular
    let pattern = check.kind.patterns.count == 1 ? check.kind.patterns[0] : nil
    let numbers = ResultText.numbers(entries.map(\.number))
    switch finding {
    case .passedLate(let time):
      let when = time.map { "\(TimeText.duration($0)) too late" } ?? "too late"
      if pattern != nil, let entry = entries.first {
        return "A matching \(noun) \(verb) \(when): #\(entry.number), \(cutting: entry.words)"
      }
      return "The check passed \(when)\(entries.isEmpty ? "" : ", by \(numbers)"): \(cutting: "\(check)")"
    case .exceeded:
      let reference = pattern?.reference ?? "\(check)"
      return "\(extras(noun)) \(verb) after the wait for \(cutting: reference) had passed: \(numbers)"
    case .expectationExceeded:
      return "Expected \(cutting: "\(check)") (an XCTest expectation), but \(extras(noun)) \(verb): \(numbers)"
    }
  }

  /// "arrived"; of requests that delayed responses make matches "was responded to".
  private var verb: String {
    guard let pattern = check.kind.patterns.first, entries.allSatisfy({ pattern.moment(of: $0).isLaterResponse }) else {
      return "arrived"
    }
    return entries.count == 1 ? "was responded to" : "were responded to"
  }

  private func extras(_ noun: String) -> String {
    guard entries.count > 1 else { return "1 extra \(noun)" }
    return "\(entries.count) extra \(noun == "event or request" ? "entries" : "\(noun)s")"
  }

  private var undecided: [String] {
    entries.compactMap { entry in
      guard case .undecided(let reason) = check.kind.patterns.first?.match(entry) else { return nil }
      return UndecidedEntry(entry: entry, reason: reason).sentence
    }
  }
}

extension LateReport {
  package init(_ late: LateFinding) {
    switch late {
    case .passedLate(let run):
      let match = run.lateMatch
      self.init(
        finding: .passedLate(by: match.map { $0.instant - run.scale.deadline }), check: run.call.check,
        entries: match.map { [$0.entry] } ?? [], scale: run.scale, location: run.call.location)
    case .exceeded(let run, let extras):
      self.init(
        finding: run.isOfExpectation ? .expectationExceeded : .exceeded, check: run.call.check, entries: extras,
        scale: run.scale, location: run.call.location)
    }
  }
}
