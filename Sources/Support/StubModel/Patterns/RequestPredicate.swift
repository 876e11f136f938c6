import TrackingModel

/// A condition on requests that is written as code.
///
/// ```swift
/// verifier.stub(.request(.post, "/orders", where: .satisfying("a large order") { $0.body.count > 10_000 }), .status(413))
/// ```
///
/// A predicate is equal only to its own copies. A stub with a predicate can't be passed to another process, because it is code.
public struct RequestPredicate: Hashable, Sendable {
  /// The condition in words, for failures.
  let description: String
  private let condition: ByIdentity<Condition>

  private final class Condition: Sendable {
    let accepts: @Sendable (ReceivedRequest) -> Bool

    init(_ accepts: @escaping @Sendable (ReceivedRequest) -> Bool) {
      self.accepts = accepts
    }
  }

  /// Matches a request for which a closure returns `true`; failures show the description.
  ///
  /// The closure may be called on any thread, and more than once for a request. It may use the verifier: no lock is held, and other requests get
  /// their responses meanwhile.
  public static func satisfying(
    _ description: String, _ condition: @escaping @Sendable (ReceivedRequest) -> Bool
  ) -> RequestPredicate {
    RequestPredicate(description: description, condition: ByIdentity(Condition(condition)))
  }
}

extension RequestPredicate: RequestPart {
  static let name = "code"

  var known: KnownPart { .all }
  var matchers: [ValueMatcher] { [] }
  var specificity: Specificity { Specificity(conditions: 1) }
  var words: String? { "where \(description)" }
  var code: String? { "its condition \"\(description)\" is a closure" }

  /// Called last, and only if all other conditions are met: a predicate may rely on them.
  func look(_ look: inout Look) {
    guard look.state == .met, look.hasWholeBody() else { return }
    let parsed = look.parsed
    var request = parsed.request
    (request.method, request.pathParams) = (parsed.method, look.params)
    let isAccepted = condition.object.accepts(request)
    look.add(
      isAccepted ? .met : parsed.coding == nil ? .unmet : .unread, doubt: "the body is \(parsed.coding ?? "")",
      Look.Row(
        "where", wanted: description, found: isAccepted ? "holds" : "doesn't hold",
        why: isAccepted ? nil : parsed.coding.map { "the body is \($0)" },
        "the condition \"\(description)\" doesn't hold", weight: 0.2))
  }

  /// Code has no form for another process.
  package var form: TrackingValue { .null }

  package static func read(_ form: TrackingValue) -> RequestPredicate? { nil }
}
