import TrackingModel
import TrackingServer

/// The facts for a check's headline that its evaluation doesn't have.
package struct VerdictFacts {
  /// The entries of the check's kinds that arrived in time.
  let entries: [JournalEntry]
  let scale: Timescale
  /// The time limit of the check: " within 5 s".
  let time: String
  /// The entry nearest to what is missing: "; #2 has a similar name: \"checkout_strated\"", or empty.
  var instead: Headline = ""
  /// The missing event, reduced to the differing params: "purchase(…, currency: \"EUR\")".
  var nearestExpected: String?
  /// The end of the app's program, if that ended the wait: "The program exited with status 0".
  var programEnd: String?
  var isOfExpectation = false
}

extension VerdictFacts {
  /// Returns the headline on a single missing match; `word` replaces "No" before the pattern's noun.
  func missing(_ pattern: EntryPattern, word: String = "No") -> Headline {
    if isOfExpectation {
      return "Expected \(cutting: "\(pattern)"), but none arrived (an XCTest expectation)\(instead)"
    }
    if let programEnd, word == "No" {
      let verb = pattern.kinds == .requests ? "sent" : "tracked"
      return "\(programEnd) before it \(verb) \(cutting: pattern.reference)\(instead)"
    }
    let headline: Headline = "\(word) \(cutting: pattern.noun) arrived\(time)\(instead)"
    // Leave out equal params first.
    guard headline.isShortened, let nearestExpected else { return headline }
    return "\(word) event \(cutting: nearestExpected) arrived\(time)\(instead)"
  }

  /// "#4 arrived after 340 ms", "#4, GET /slow, was responded to 340 ms after the first arrival".
  func arrival(of entry: JournalEntry, by pattern: EntryPattern) -> Headline {
    let moment = pattern.moment(of: entry)
    return "\(subject(entry, of: pattern)) \(moment.verb) \(scale.shortTime(at: moment.instant))"
  }

  /// The entry, with its content if the pattern doesn't imply it: "#4, scrolled(offset: 12),".
  func subject(_ entry: JournalEntry, of pattern: EntryPattern) -> Headline {
    pattern.isSpecific ? "#\(entry.number)" : "#\(entry.number), \(cutting: entry.words),"
  }
}

extension JournalEntry {
  /// The event, or the request's method and path.
  var words: String {
    switch self {
    case .event(let recorded): "\(recorded.event)"
    case .request(let recorded): "\(recorded.method) \(recorded.target)"
    case .rejection(let rejection): "a rejected submission (\(rejection.status))"
    }
  }
}
