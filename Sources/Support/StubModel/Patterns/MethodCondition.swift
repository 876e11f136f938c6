import TrackingModel

package struct MethodCondition: RequestPart {
  static let name = "method"

  package let method: ReceivedRequest.Method
  /// Whether an app has sent the method, so that it isn't a misspelling.
  let isSent: Bool

  init(_ method: ReceivedRequest.Method, isSent: Bool = false) {
    (self.method, self.isSent) = (isSent ? method : method.normalized, isSent)
  }

  var known: KnownPart { .line }
  var specificity: Specificity { Specificity(conditions: 1, singleValues: 1) }
  var words: String? { "\(method)" }

  var problem: StubError? {
    guard method.rawValue.isToken else { return .method(method.rawValue) }
    return isSent ? nil : method.likelyMeant.map { .method(method.rawValue, meant: $0) }
  }

  func accepts(_ parsed: ParsedRequest) -> Bool { method == parsed.method }

  func look(_ look: inout Look) {
    let parsed = look.parsed
    look.add(
      accepts(parsed) ? .met : .unmet,
      Look.Row("method", wanted: "\(method)", found: "\(parsed.request.method)", weight: 0.4))
  }

  package var form: TrackingValue { [isSent ? "sent" : "written": .string(method.rawValue)] }

  package static func read(_ form: TrackingValue) -> MethodCondition? {
    switch form.onlyMember {
    case ("written", .string(let name))?: MethodCondition(.init(rawValue: name))
    case ("sent", .string(let name))?: MethodCondition(.init(rawValue: name), isSent: true)
    default: nil
    }
  }
}
