import TrackingModel
import TrackingPatterns
import TrackingServer

/// The circumstances of a failure that its check explains.
package struct Finding: Sendable {
  /// The entries of the check's kinds that arrived in time.
  let entries: [JournalEntry]
  let kinds: EntryKinds
  let scale: Timescale
  /// The time limit of the check: " within 5 s".
  let time: String
  /// The end of the app's program, if that ended the wait: "The program exited with status 0".
  var programEnd: String?
  var isOfExpectation = false
}

extension Finding {
  /// Explains that a single match is missing; `word` replaces "No" before the pattern's noun.
  func missing(_ pattern: EntryPattern, word: String = "No") -> Explanation {
    var explanation = Explanation(
      kind: .tooFew, headline: "\(word) \(pattern.noun) arrived\(time)",
      missing: [Explanation.Missing(title: "", pattern: pattern)])
    if isOfExpectation {
      explanation.headline = "Expected \(pattern.words), but none arrived (an XCTest expectation)"
    } else if let programEnd, word == "No" {
      let verb = pattern.kinds == .requests ? "sent" : "tracked"
      explanation.headline = "\(programEnd) before it \(verb) \(pattern.reference)"
    } else {
      explanation.reduced = { [time] in "\(word) event \($0) arrived\(time)" }
    }
    return explanation
  }

  /// "#4 arrived after 340 ms", "#4, GET /slow, was responded to 340 ms after the first arrival".
  func arrival(of entry: JournalEntry, by pattern: EntryPattern) -> Headline {
    let moment = pattern.moment(of: entry)
    return "\(subject(entry, of: pattern)) \(moment.verb) \(scale.shortTime(at: moment.instant))"
  }

  /// The entry, with its content if the pattern doesn't imply it: "#4, scrolled(offset: 12),".
  func subject(_ entry: JournalEntry, of pattern: EntryPattern) -> Headline {
    pattern.isSpecific ? "#\(entry.number)" : "#\(entry.number), \(entry.words),"
  }
}

extension JournalEntry {
  /// The event, or the request's method and path.
  var words: Headline {
    switch self {
    case .event(let recorded): return Headline(of: recorded.event)
    case .request(let recorded):
      let parts = recorded.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let path: Headline = "\(name: "\(recorded.method) \(parts[0])")"
      guard parts.count > 1 else { return path }
      let items = parts[1].split(separator: "&", omittingEmptySubsequences: false).map { Headline.Param(String($0)) }
      return "\(path)?\(params: items, separator: "&")"
    case .rejection(let rejection): return "a rejected submission (\(rejection.status))"
    }
  }
}
