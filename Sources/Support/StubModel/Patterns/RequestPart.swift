import TrackingModel
import TrackingPatterns

/// A condition on one part of requests, such as the query.
///
/// A condition is one file: its look at a request, words, precedence, and the form for another process. Only the file of `.request(…)` refers to
/// it, in its parameters and in `RequestParts.types`.
protocol RequestPart: FormConvertible, Hashable, Sendable {
  /// The name in the form for another process.
  static var name: String { get }

  /// The part of a request that must be known to decide.
  var known: KnownPart { get }

  var matchers: [ValueMatcher] { get }

  /// The number of conditions; by default one for each matcher.
  var specificity: Specificity { get }

  /// Words that follow a path; `nil` if the condition accepts everything.
  var words: String? { get }

  /// The reason why the condition is refused, apart from its matchers; `nil` if it is valid.
  var problem: StubError? { get }

  /// The first part that may run code, a closure or a Swift `Regex`, in words.
  var code: String? { get }

  /// Decides about a request, of which the `known` part is known.
  func look(_ look: inout Look)
}

extension RequestPart {
  var matchers: [ValueMatcher] { [] }

  var specificity: Specificity { matchers.map(Specificity.init).sum }

  var problem: StubError? { nil }

  var code: String? {
    matchers.lazy.compactMap(\.closure).first.map { "its condition \"\($0)\" is a closure or a Regex" }
  }
}

// MARK: - All parts

/// The conditions on parts other than the path, in the order of their description.
package struct RequestParts: Sendable {
  let list: [any RequestPart]

  /// Leaves out conditions that accept everything.
  init(_ parts: [(any RequestPart)?]) {
    list = parts.compactMap(\.self).filter { $0.words != nil }
  }

  func first<Part: RequestPart>(_: Part.Type) -> Part? {
    for case let part as Part in list { return part }
    return nil
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
