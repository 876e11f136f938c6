import TrackingModel
import TrackingPatterns

/// A condition on one part of requests, such as the query.
///
/// A condition is one file: matching, words, precedence, and the form for another process. Only the file of `.request(…)` refers to it, in the
/// list of parameters and in `RequestParts.types`.
protocol RequestPart: FormConvertible, Hashable, Sendable {
  /// The name of the condition among those of a stub for another process.
  static var name: String { get }

  /// The part of a request that has to be known to decide; `nil` if it is the body.
  var known: KnownPart? { get }

  /// All its matchers.
  var matchers: [ValueMatcher] { get }

  /// The number of conditions; by default each matcher is one.
  var specificity: Specificity { get }

  /// The condition as words that follow a path; `nil` if it accepts everything.
  var words: String? { get }

  func accepts(_ parsed: ParsedRequest) -> Bool

  /// The reason why a condition can't tell whether it accepts a request: its part can't be read; `nil` if it can.
  func doubt(about parsed: ParsedRequest) -> String?

  /// Adds what a request has in this part, and the difference from the condition.
  func compare(_ parsed: ParsedRequest, _ comparison: inout StubComparison)
}

extension RequestPart {
  var specificity: Specificity { matchers.map(Specificity.init).sum }

  func doubt(about parsed: ParsedRequest) -> String? { nil }
}

// MARK: - All parts

/// The conditions on the parts of requests after the path, in the order in which they are described.
package struct RequestParts: Sendable {
  let list: [any RequestPart]

  /// - Parameter parts: Conditions, of which those that accept everything are left out.
  init(_ parts: [(any RequestPart)?]) {
    list = parts.compactMap(\.self).filter { $0.words != nil }
  }
}

extension RequestParts: Hashable {
  package static func == (left: RequestParts, right: RequestParts) -> Bool {
    left.list.map { AnyHashable($0) } == right.list.map { AnyHashable($0) }
  }

  package func hash(into hasher: inout Hasher) {
    for part in list { part.hash(into: &hasher) }
  }
}

extension RequestParts: FormConvertible {
  package var form: TrackingValue {
    .object(Dictionary(list.map { (type(of: $0).name, $0.form) }) { $1 })
  }

  package static func read(_ form: TrackingValue) -> RequestParts? {
    guard case .object(let forms) = form else { return nil }
    let parts = types.compactMap { type in forms[type.name].flatMap { type.read($0) as (any RequestPart)? } }
    return parts.count == forms.count ? RequestParts(parts) : nil
  }
}
