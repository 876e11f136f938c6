import Foundation
import TrackingModel

/// A stub's path, prepared for comparisons.
struct PathMatcher: Sendable {
  /// The generality of a path; the most specific one responds first.
  enum Rank: Int, Comparable, Sendable {
    case literal, param, wildcard, regex
    /// A pattern without a path, such as a `not`.
    case pathless

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  fileprivate enum Segment: Sendable {
    case literal(String)
    case param(String)
    case any
    /// One segment or more, at the end.
    case rest
  }

  private enum Form: Sendable {
    case segments([Segment])
    case regex(NSRegularExpression)
  }

  let rank: Rank
  let literalSegments: Int
  let path: StubPath
  private let form: Form

  init(_ path: StubPath) throws(StubError) {
    self.path = path
    switch path.form {
    case .template(let text):
      let segments = try Self.segments(of: text)
      form = .segments(segments)
      rank = segments.map(\.rank).max() ?? .literal
      literalSegments = segments.count { $0.rank == .literal }
    case .regex(let pattern):
      form = .regex(try Self.expression(pattern))
      rank = .regex
      literalSegments = 0
    }
  }

  /// The key under which a table finds the path; `nil` if it isn't literal.
  var key: Int? {
    guard rank == .literal, case .segments(let segments) = form else { return nil }
    let texts = segments.map { segment in
      if case .literal(let text) = segment { text } else { "" }
    }
    return RequestPath.key(of: texts)
  }

  func params(in requestPath: RequestPath) -> [String: String]? {
    switch form {
    case .segments(let segments): match(requestPath.segments, with: segments)
    case .regex(let expression): match(requestPath.decoded, with: expression)
    }
  }

  /// Whether a path that doesn't match might do so if all its texts could be read.
  private func mayMatch(_ parsed: ParsedRequest) -> Bool {
    guard parsed.isPathUnread else { return false }
    switch form {
    case .segments(let segments):
      // Treats unread texts as possibly equal.
      let parts = parsed.path.segments
      let readable = segments.enumerated().map { index, segment in
        if case .literal(let text) = segment, !text.isASCII, parts.indices.contains(index), parts[index].isUnread {
          Segment.any
        } else {
          segment
        }
      }
      return match(parts, with: readable) != nil
    case .regex(let expression): return !expression.pattern.isASCII
    }
  }

  func params(in requestPath: String) -> [String: String]? {
    params(in: RequestPath(requestPath))
  }

  func look(_ look: inout Look) {
    let parsed = look.parsed
    if let params = params(in: parsed.path) {
      look.add(params: params)
      look.add(.met, Look.Row("path", wanted: "\(path)", found: parsed.request.path, weight: 0))
    } else {
      let state = mayMatch(parsed) ? Look.State.unread : .unmet
      look.add(
        state, doubt: "the path isn't text in UTF-8",
        miss(of: parsed.path, parsed.request.path, isUnread: state == .unread))
    }
  }

  /// The row of a path that doesn't match; `sent` is the path as sent.
  func miss(of requestPath: RequestPath, _ sent: String, isUnread: Bool = false) -> Look.Row {
    let parts = requestPath.segments.map(\.decoded)
    let why = isUnread ? "it isn't text in UTF-8" : nil
    switch form {
    case .segments(let segments):
      let share = PathDistance(segments.map(\.distance), isOpen: path.endsInWildcard).share(of: parts)
      let isOnlySlash = sent + "/" == "\(path)" || sent == "\(path)/"
      // Swift's `==` ignores the difference between composed and decomposed characters; comparing bytes doesn't.
      let isOnlyForm =
        !isOnlySlash && requestPath.decoded.isStreamSafe() && requestPath.decoded == PercentEncoding.decoded("\(path)")
      return Look.Row(
        "path", wanted: "\(path)", found: sent,
        why: isOnlySlash
          ? "the slash at the end counts" : isOnlyForm ? "they differ in Unicode normalization only" : why,
        weight: isOnlySlash ? 0.1 : Self.weight(share))
    case .regex:
      let share = PathDistance(regex: path.pattern).share(of: parts)
      return Look.Row(
        "path", wanted: "\(path)", found: sent, why: why ?? "all of it must match",
        "the path is \(sent), and all of it must match \(path)\(why.map { ": \($0)" } ?? "")",
        weight: Self.weight(share))
    }
  }

  /// Even a nearly right path weighs more than another method.
  private static func weight(_ share: Double) -> Double { 0.45 + 0.55 * share }

  private func match(_ path: String, with expression: NSRegularExpression) -> [String: String]? {
    let all = NSRange(path.startIndex..., in: path)
    guard let match = expression.firstMatch(in: path, range: all) else { return nil }
    var groups: [String: String] = [:]
    for group in 1..<max(match.numberOfRanges, 1) {
      groups["\(group)"] = Range(match.range(at: group), in: path).map { String(path[$0]) }
    }
    return groups
  }

  private func match(_ parts: [RequestPath.Segment], with segments: [Segment]) -> [String: String]? {
    guard parts.count == segments.count || path.endsInWildcard && parts.count > segments.count else { return nil }
    var params: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      switch segment {
      case .literal(let text):
        guard parts[index].decoded.isSameText(as: text) else { return nil }
      case .param(let name):
        guard !parts[index].sent.isEmpty else { return nil }
        params[name] = parts[index].decoded
      case .any:
        guard !parts[index].sent.isEmpty else { return nil }
      case .rest:
        // As sent, so that an encoded slash differs from one that separates segments.
        params["*"] = parts[index...].map(\.sent).joined(separator: "/")
      }
    }
    return params
  }

  private static func segments(of text: String) throws(StubError) -> [Segment] {
    guard text.hasPrefix("/") || text == "*" else { throw .path(text, reason: "doesn't begin with a slash") }
    guard !text.contains("?"), !text.contains("#") else {
      throw .path(text, reason: "has a query or a fragment; use `query:` for a query")
    }
    var names: Set<String> = []
    var segments: [Segment] = []
    let parts = RequestPath.split(text)
    for (index, part) in parts.enumerated() {
      if part == "*" {
        segments.append(index == parts.count - 1 ? .rest : .any)
      } else if part.hasPrefix(":") {
        let name = try paramName(part, in: text)
        guard names.insert(name).inserted else { throw .path(text, reason: "has the param :\(name) twice") }
        segments.append(.param(name))
      } else {
        guard !part.contains("*") else {
          throw .path(text, reason: "has a * in a segment with other text: use .regex, or write %2A for the character")
        }
        // Braces are the param syntax of other tools, and would match nothing: URIs encode them (RFC 3986 2.2).
        guard !(part.hasPrefix("{") && part.hasSuffix("}")) else {
          let name = part.dropFirst().dropLast()
          throw .path(text, reason: "has \(part): write a param as :\(name), or %7B for the brace")
        }
        segments.append(.literal(PercentEncoding.decoded(part)))
      }
    }
    return segments
  }

  /// A param is a whole segment, so `:id.json` would match more than it seems to.
  private static func paramName(_ part: Substring, in path: String) throws(StubError) -> String {
    let name = part.dropFirst()
    guard !name.isEmpty else { throw .path(path, reason: "has a : without a name") }
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) else {
      throw .path(path, reason: "has the param \(part), but a name has only letters, digits, - and _")
    }
    return String(name)
  }

  private static func expression(_ pattern: String) throws(StubError) -> NSRegularExpression {
    let expression: NSRegularExpression
    do {
      // Alone first: within a group, `a)|(b` would be valid, too.
      _ = try NSRegularExpression(pattern: pattern)
      // Anchored, because otherwise the first alternative that matches a part would do.
      expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    } catch {
      throw .path(pattern, reason: "isn't a valid regular expression")
    }
    // A letter or a digit that isn't optional.
    let start = pattern.drop { $0 == "^" }.prefix(2)
    if let first = start.first, first.isLetter || first.isNumber, !"?*{".contains(start.dropFirst().first ?? " "),
      !pattern.contains("|")
    {
      throw .path(pattern, reason: "doesn't begin with a slash, as each path does")
    }
    return expression
  }
}

extension PathMatcher.Segment {
  fileprivate var rank: PathMatcher.Rank {
    switch self {
    case .literal: .literal
    case .param: .param
    case .any, .rest: .wildcard
    }
  }

  fileprivate var distance: PathDistance.Segment {
    switch self {
    case .literal(let text): .literal(text)
    case .param, .any, .rest: .pattern { !$0.isEmpty }
    }
  }
}

extension StubPath {
  fileprivate var pattern: String {
    switch form {
    case .template(let text), .regex(let text): text
    }
  }
}

extension StubPath {
  /// `false` also for an invalid path.
  package func matches(_ path: String) -> Bool { (try? PathMatcher(self))?.params(in: path) != nil }
}
