import TrackingModel
import TrackingPatterns

/// Compares the names of header fields in any case.
struct HeaderCondition: RequestPart {
  static let name = "headers"

  let fields: [String: ValueMatcher]

  var known: KnownPart? { .head }
  var matchers: [ValueMatcher] { Array(fields.values) }

  var words: String? {
    fields.isEmpty
      ? nil
      : fields.sorted { $0.key < $1.key }.map { "with \($0.key): \($0.value.fieldText)" }.joined(separator: " ")
  }

  func accepts(_ parsed: ParsedRequest) -> Bool {
    fields.allSatisfy { $0.value.accepts(fieldWith: [parsed.request.headers[$0.key]].compactMap(\.self)) }
  }

  func doubt(about parsed: ParsedRequest) -> String? {
    var unread: String?
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      let found = [parsed.request.headers[name]].compactMap(\.self)
      let text = UnreadText(found)
      switch UnreadText.certainty(of: found, value, text) {
      case .no: return nil
      case .maybe: unread = unread ?? "the header \(name) \(text?.words ?? "")"
      case .yes: break
      }
    }
    return unread
  }

  func compare(_ parsed: ParsedRequest, _ comparison: inout StubComparison) {
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      FieldComparison.compare(
        [parsed.request.headers[name]].compactMap(\.self), with: value, "the header \(name)", label: name, &comparison)
    }
  }

  var form: TrackingValue { fields.form }

  static func read(_ form: TrackingValue) -> HeaderCondition? {
    [String: ValueMatcher].read(form).map { HeaderCondition(fields: $0) }
  }
}
