import TrackingModel
import TrackingPatterns
import TrackingServer

/// The first line of a failure: what was expected and what happened instead, complete alone.
///
/// Where it would be longer than 120 characters, the texts that are interpolated as `cutting:` are shortened, the longest first.
///
/// ```swift
/// "Expected no \(cutting: pattern.noun), but #\(entry.number) arrived"
/// ```
package struct Verdict: ExpressibleByStringInterpolation, Sendable {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { parts.append(Part(text: literal, isCut: false)) }

    package mutating func appendInterpolation(_ text: String) { parts.append(Part(text: text, isCut: false)) }

    package mutating func appendInterpolation(_ number: Int) { appendInterpolation("\(number)") }

    package mutating func appendInterpolation(cutting text: String) {
      parts.append(Part(text: VisibleText.line(text), isCut: true))
    }

    package mutating func appendInterpolation(_ verdict: Verdict) { parts += verdict.parts }
  }

  fileprivate struct Part {
    let text: String
    let isCut: Bool
  }

  /// The most characters of a first line.
  package static let width = 120
  /// The fewest characters of a shortened text.
  private static let narrowest = 24

  private let parts: [Part]

  package init(stringLiteral text: String) { parts = [Part(text: text, isCut: false)] }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The whole text, on one line.
  package var whole: String { VisibleText.line(parts.map(\.text).joined()) }

  /// Whether a part of it is shortened.
  package var isShortened: Bool { whole.count > Self.width }

  /// Whether it has the whole words of patterns, in one of their forms.
  func names(_ patterns: [EntryPattern]) -> Bool {
    let line = line
    return patterns.allSatisfy { pattern in
      [pattern.noun, pattern.plural, pattern.reference, "\(pattern)"].contains { line.contains(VisibleText.line($0)) }
    }
  }

  /// Whether it says what a sentence says.
  func says(_ sentence: String) -> Bool {
    let end = sentence.dropFirst().drop { $0 == "." }
    return !isShortened && whole.hasSuffix(end.hasSuffix(".") ? end.dropLast() : end)
  }

  /// The line.
  package var line: String {
    let whole = whole
    guard whole.count > Self.width else { return whole }
    let counts = parts.filter(\.isCut).map(\.text.count)
    let room = Self.width - parts.filter { !$0.isCut }.reduce(0) { $0 + $1.text.count }
    let widths = (Self.narrowest...Self.width).reversed()
    let width = widths.first { width in counts.reduce(0) { $0 + min($1, width) } <= room } ?? Self.narrowest
    let line = parts.map { $0.isCut ? Excerpt.of($0.text, width: width) : $0.text }.joined()
    return line.count > Self.width ? "\(line.prefix(Self.width - 1))…" : line
  }
}

/// The facts that a check's verdict is made of, beside those of its evaluation.
package struct VerdictFacts {
  /// The entries of the check's kinds that arrived in time.
  let entries: [JournalEntry]
  let scale: Timescale
  /// The time in which the check could pass: " within 5 s".
  let time: String
  /// The nearest thing to what is missing: "; #2 has a similar name: \"checkout_strated\"", or nothing.
  var instead: Verdict = ""
  /// The missing event with the params in which the nearest one differs: "purchase(…, currency: \"EUR\")".
  var nearestExpected: String?
  /// The end of the app's program, if that ended the wait: "The program exited with status 0".
  var programEnd: String?
  /// Whether an expectation of XCTest was not fulfilled.
  var isOfExpectation = false
}

extension VerdictFacts {
  /// The verdict about a single match that is missing.
  ///
  /// - Parameter word: "No", or another word before the pattern's noun.
  func missing(_ pattern: EntryPattern, word: String = "No") -> Verdict {
    if isOfExpectation {
      return "Expected \(cutting: "\(pattern)"), but none arrived (an expectation of XCTest)\(instead)"
    }
    if let programEnd, word == "No" {
      let verb = pattern.kinds == .requests ? "sent" : "tracked"
      return "\(programEnd) before it \(verb) \(cutting: pattern.reference)\(instead)"
    }
    let verdict: Verdict = "\(word) \(cutting: pattern.noun) arrived\(time)\(instead)"
    // Equal params are left out first.
    guard verdict.isShortened, let nearestExpected else { return verdict }
    return "\(word) event \(cutting: nearestExpected) arrived\(time)\(instead)"
  }

  /// The time of an entry: "after 340 ms" of the wait, or "340 ms after the first arrival".
  func time(of entry: JournalEntry) -> String { scale.shortTime(at: entry.arrival) }

  /// An entry with its content, where a pattern doesn't say what it is: "#4, scrolled(offset: 12),".
  func subject(_ entry: JournalEntry, of pattern: EntryPattern) -> Verdict {
    pattern.isSpecific ? "#\(entry.number)" : "#\(entry.number), \(cutting: entry.words),"
  }
}

extension JournalEntry {
  /// The event, or the method and path of the request.
  var words: String {
    switch self {
    case .event(let recorded): "\(recorded.event)"
    case .request(let recorded): "\(recorded.method) \(recorded.target)"
    case .rejection(let rejection): "a rejected submission (\(rejection.status))"
    }
  }
}
