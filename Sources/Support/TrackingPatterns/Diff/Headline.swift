import TrackingModel

/// The first line of a failure, or words for it: what was expected and what happened instead, complete on its own.
///
/// Its parts know what they are. If the line is longer than 120 characters, whole params are left out, those that are equal in the nearest event
/// first and longer ones first; then foreign texts are cut at their ends; then names in the middle. Our own words stay.
///
/// ```swift
/// "Expected no \(pattern.noun), but #\(entry.number) was rejected: \(foreign: reason)"
/// ```
package struct Headline: ExpressibleByStringInterpolation, Sendable {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { append(.own(literal)) }

    /// Appends our own words.
    package mutating func appendInterpolation(_ text: String) { append(.own(text)) }

    package mutating func appendInterpolation(_ number: Int) { append(.own("\(number)")) }

    /// Appends the name of an event, a path or the like.
    package mutating func appendInterpolation(name text: String) { append(.name(text)) }

    /// Appends a reason, an error or a description that was written elsewhere.
    package mutating func appendInterpolation(foreign text: String) { append(.foreign(text)) }

    /// Appends params or conditions; `nil` for those that are left out already.
    package mutating func appendInterpolation(params: [Param?], separator: String = ", ") {
      append(.params(params, separator: separator))
    }

    package mutating func appendInterpolation(_ headline: Headline) {
      for part in headline.parts { append(part) }
    }

    private mutating func append(_ part: Part) {
      if case .own(let text) = part, case .own(let earlier)? = parts.last {
        parts[parts.count - 1] = .own(earlier + text)
      } else if !part.text.isEmpty {
        parts.append(part)
      }
    }
  }

  /// A param with its value, or another condition that is left out as a whole.
  package struct Param: Sendable {
    /// The path by which differences name it; `nil` for conditions of requests.
    package let path: String?
    var text: String
    /// Whether it is equal in the nearest event; `nil` if that isn't known.
    fileprivate var isEqual: Bool?
    /// Whether it is left out rather than cut, even if it is the only one.
    fileprivate let isWhole: Bool

    package init(_ text: String, at path: String? = nil, isWhole: Bool = false) {
      (self.text, self.path, self.isWhole) = (text, path, isWhole)
    }
  }

  fileprivate enum Part: Sendable {
    case own(String)
    case name(String)
    case foreign(String)
    case params([Param?], separator: String)
  }

  /// The maximum number of characters.
  package static let width = 120
  /// The minimum length of a shortened text.
  private static let narrowest = 24

  private var parts: [Part]

  package init(stringLiteral text: String) { parts = text.isEmpty ? [] : [.own(text)] }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The unshortened words.
  package var text: String { parts.map(\.text).joined() }

  /// The unshortened line.
  package var whole: String { VisibleText.line(text) }

  package var isShortened: Bool { whole.count > Self.width }

  /// Whether leaving out params is enough to shorten the line.
  package var fits: Bool { withoutExcessParams.excess <= 0 }

  /// Whether the shortened line has all params that differ from the nearest event.
  package var keepsDifferences: Bool { withoutExcessParams.differing == differing }

  private var differing: Int { parts.reduce(0) { $0 + $1.params.count { $0?.isEqual == false } } }

  package var line: String {
    var short = withoutExcessParams
    short.cutForeignTexts()
    short.cutNames()
    return short.excess > 0 ? "\(short.text.prefix(Self.width - 1))…" : short.text
  }

  /// Whether the line contains a sentence.
  package func says(_ sentence: String) -> Bool {
    let end = sentence.dropFirst().drop { $0 == "." }
    return !isShortened && whole.hasSuffix(end.hasSuffix(".") ? end.dropLast() : end)
  }
}

extension Headline {
  /// Creates the words for an event: `purchase(currency: "EUR", total: 30)`.
  package init(of event: TrackingEvent) {
    let params = event.params.sorted { $0.key < $1.key }.map { Param("\($0.key): \($0.value)", at: $0.key.key) }
    self = "\(name: event.name)(\(params: params))"
  }

  /// Returns the words with all params but those at these paths as equal ones, which are left out first.
  package func sparing(_ paths: [String]) -> Headline {
    guard !paths.isEmpty else { return self }
    // The paths and what they lie in: `items` and `items[0]` for `items[0].id`.
    let differing = Set(
      paths.flatMap { path in path.indices.filter { ".[".contains(path[$0]) }.map { path[..<$0] } + [path[...]] })
    var headline = self
    headline.parts = parts.map { part in
      guard case .params(let params, let separator) = part else { return part }
      let marked = params.map { param -> Param? in
        guard var param, let path = param.path else { return param }
        param.isEqual = !differing.contains(path[...])
        return param
      }
      return .params(marked, separator: separator)
    }
    return headline
  }
}

// MARK: - Other words

extension Headline {
  /// Returns the words with another beginning; `nil` if they don't begin with this text.
  package func replacing(start: String, with text: String) -> Headline? {
    guard let first = parts.first, first.text.hasPrefix(start), !first.isParams else { return nil }
    var headline = self
    headline.parts[0] = first.mapping { _ in String(first.text.dropFirst(start.count)) }
    return "\(text)\(headline)"
  }

  /// Removes a text if the words end with it.
  package mutating func removeEnd(_ end: String) {
    guard let last = parts.last, text.hasSuffix(end) else { return }
    if case .params(var params, let separator) = last, let param = params.last ?? nil, param.text.hasSuffix(end) {
      params[params.count - 1]?.text.removeLast(end.count)
      parts[parts.count - 1] = .params(params, separator: separator)
    } else if !last.isParams, last.text.hasSuffix(end) {
      parts[parts.count - 1] = last.mapping { String($0.dropLast(end.count)) }
    }
  }
}

// MARK: - Shortening

extension Headline {
  /// The number of characters that are too many.
  private var excess: Int { text.count - Self.width }

  private var withoutExcessParams: Headline {
    var short = self
    short.parts = parts.map { $0.mapping(VisibleText.line) }
    short.leaveOutParams()
    return short
  }

  /// Leaves out params until the line fits, and cuts the last one if that is enough.
  private mutating func leaveOutParams() {
    guard excess > 0 else { return }
    var lists = parts.map(\.params)
    var (length, joints) = parts.reduce((0, 0)) { ($0.0 + $1.length, $0.1 + $1.pieces.reduce(0) { $0 + $1.joints }) }
    let places = orderOfParams
    for (part, index, _, count) in places.dropLast() {
      let neighbors = [index - 1, index + 1].count { lists[part].indices.contains($0) && lists[part][$0] == nil }
      joints -= lists[part][index]?.text.joints ?? 0
      lists[part][index] = nil
      length += 1 - count - neighbors * (parts[part].separator.count + 1)
      // Built only if it may fit: characters may join where texts meet.
      guard length - joints <= Self.width else { continue }
      show(lists)
      if excess <= 0 { return }
    }
    show(lists)
    guard let (part, index, _, _) = places.last else { return }
    while excess > 0, var param = lists[part][index] {
      let room = param.text.count - excess
      let isCut = !param.isWhole && param.text.count > Self.width / 2 && room >= Self.narrowest
      if isCut { param.text = Excerpt.of(param.text, width: room) }
      lists[part][index] = isCut ? param : nil
      show(lists)
    }
  }

  /// The params in the order in which they are left out: equal ones first, then longer ones.
  private var orderOfParams: [(part: Int, index: Int, isEqual: Bool, count: Int)] {
    parts.enumerated().flatMap { part, content in
      content.params.enumerated().compactMap { index, param in
        param.map { (part, index, $0.isEqual == true, $0.text.count) }
      }
    }
    .sorted { ($0.isEqual ? 0 : 1, -$0.count, $0.part, $0.index) < ($1.isEqual ? 0 : 1, -$1.count, $1.part, $1.index) }
  }

  private mutating func show(_ lists: [[Param?]]) {
    for (part, list) in lists.enumerated() {
      if case .params(_, let separator) = parts[part] { parts[part] = .params(list, separator: separator) }
    }
  }

  private mutating func cutForeignTexts() {
    cut({ if case .foreign = $0 { true } else { false } }) { text, width in
      let beginning = text.prefix(width - 1)
      return "\(beginning.prefix(beginning.count - beginning.reversed().prefix { $0 == " " }.count))…"
    }
  }

  private mutating func cutNames() {
    cut({ if case .name = $0 { true } else { false } }) { Excerpt.of($0, width: $1) }
  }

  /// Shortens the parts of a kind, longest first, until the line fits.
  private mutating func cut(_ isOfKind: (Part) -> Bool, _ shorten: (_ text: String, _ width: Int) -> String) {
    for index in parts.indices.filter({ isOfKind(parts[$0]) }).sorted(by: {
      parts[$0].text.count > parts[$1].text.count
    })
    where excess > 0 && parts[index].text.count > Self.narrowest {
      let width = max(parts[index].text.count - excess, Self.narrowest)
      parts[index] = parts[index].mapping { shorten($0, width) }
    }
  }
}

extension Headline.Part {
  var text: String { pieces.joined(separator: separator) }

  var separator: String { if case .params(_, let separator) = self { separator } else { "" } }

  /// The texts that the separator joins.
  var pieces: [String] {
    switch self {
    case .own(let text), .name(let text), .foreign(let text): [text]
    case .params(let params, _):
      params.indices.compactMap { index in
        if let param = params[index] { return param.text }
        // One sign for all that are left out in a row.
        return index > 0 && params[index - 1] == nil ? nil : "…"
      }
    }
  }

  /// The number of characters, if none join where texts meet.
  var length: Int { pieces.reduce(0) { $0 + $1.count } + separator.count * max(pieces.count - 1, 0) }

  var isParams: Bool { if case .params = self { true } else { false } }

  var params: [Headline.Param?] { if case .params(let params, _) = self { params } else { [] } }

  func mapping(_ change: (String) -> String) -> Self {
    switch self {
    case .own(let text): .own(change(text))
    case .name(let text): .name(change(text))
    case .foreign(let text): .foreign(change(text))
    case .params(let params, let separator):
      .params(
        params.map { param in
          param.map { param in
            var param = param
            param.text = change(param.text)
            return param
          }
        }, separator: separator)
    }
  }
}

extension String {
  /// The most characters that joining it with other texts can save: none if it begins and ends with ASCII, as separators do.
  fileprivate var joints: Int { [utf8.first, utf8.last].count { $0 ?? 0 >= 0x80 } * 2 }
}
