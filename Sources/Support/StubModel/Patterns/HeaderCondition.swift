import TrackingModel
import TrackingPatterns

/// Compares the names of header fields in any case.
struct HeaderCondition: RequestPart {
  static let name = "headers"

  let fields: FieldMatchers

  var known: KnownPart { .head }
  var matchers: [ValueMatcher] { fields.matchers }

  var words: String? {
    fields.items.isEmpty ? nil : fields.items.map { "with \($0.name): \($0.value.fieldText)" }.joined(separator: " ")
  }

  var problem: StubError? { fields.items.first?.name == "" ? .emptyName(of: "header field") : nil }

  func look(_ look: inout Look) {
    for item in fields.items where !look.isSettled {
      let found = [look.parsed.request.headers[item.name]].compactMap(\.self)
      let state = item.value.state(of: found, in: look, UnreadText(found))
      look.add(
        state, doubt: "the header \(item.name) isn't text in UTF-8",
        Look.Row(
          item.name, "the header \(item.name)", wanted: item.value, found: found, state, UnreadText(found)))
    }
  }

  var form: TrackingValue { fields.form }

  static func read(_ form: TrackingValue) -> HeaderCondition? {
    FieldMatchers.read(form).map { HeaderCondition(fields: $0) }
  }
}
