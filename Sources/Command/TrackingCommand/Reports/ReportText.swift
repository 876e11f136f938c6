import TrackingModel
import TrackingChecks

/// A text of a report: interpolated values are escaped in Markdown, so that the markup of an app's texts has no effect.
struct ReportText: Sendable, ExpressibleByStringInterpolation {
  fileprivate enum Part {
    /// The report's own words.
    case words(String)
    case value(String)
    /// A name or Swift code.
    case code(String)
  }

  private var parts: [Part]

  init(stringLiteral text: String) { parts = [.words(text)] }
  init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ text: String) { parts.append(.words(text)) }
    mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      parts.append(.value("\(value)"))
    }
    mutating func appendInterpolation(code: some CustomStringConvertible) { parts.append(.code("\(code)")) }
    mutating func appendInterpolation(_ text: ReportText) { parts += text.parts }
  }

  static func + (one: ReportText, other: ReportText) -> ReportText { "\(one)\(other)" }

  var plain: String {
    parts.map {
      switch $0 {
      case .words(let text), .value(let text), .code(let text): text
      }
    }.joined()
  }

  var markdown: String {
    parts.map { part in
      switch part {
      case .words(let text): text
      case .value(let text): text.onOneLine.map { "\\`*_{}[]<>#&~".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      case .code(let text): text.isEmpty ? "" : "`\(text.onOneLine.replacing("`", with: "'"))`"
      }
    }.joined()
  }
}

extension Collection<ReportText> {
  func joined(separator: ReportText) -> ReportText {
    dropFirst().reduce(first ?? "") { "\($0)\(separator)\($1)" }
  }

  /// The first texts, with a line that counts the others.
  func shortened(to most: Int, _ rest: ReportText = "") -> [ReportText] {
    prefix(most) + (count > most ? ["... \(count - most) more\(rest)"] : [])
  }
}

extension CallSiteNames {
  /// The end of a sentence about an event: `; tracked at CheckoutModel.swift:41 and CheckoutView.swift:88`; empty for an event without call sites.
  func text(of sites: Set<CallSite>) -> ReportText {
    guard !sites.isEmpty else { return "" }
    let shown = sites.sorted { $0.description < $1.description }.map { "\(code: name(of: $0))" as ReportText }
    let most = 3
    guard shown.count > most else { return "; tracked at \(shown.joined(separator: " and "))" }
    return "; tracked at \(shown.prefix(most).joined(separator: ", ")) and \(shown.count - most) more"
  }
}

enum CountWords {
  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
