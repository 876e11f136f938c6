import TrackingModel
import TrackingPatterns

/// Matchers of fields by name: of a query, a form, cookies or header fields.
struct FieldMatchers: Hashable, Sendable {
  struct Item: Hashable, Sendable {
    let name: String
    let value: ValueMatcher
  }

  /// Sorted by name, so that texts are the same on every run.
  let items: [Item]
  /// Whether other fields, and repeated ones, are excluded.
  let isExact: Bool

  init(_ items: [String: ValueMatcher], isExact: Bool = false) {
    self.items = items.map { Item(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
    self.isExact = isExact
  }

  var matchers: [ValueMatcher] { items.map(\.value) }

  /// `page=1&sort=(a text that contains "a")`.
  var text: String { items.map { "\($0.name)=\($0.value.fieldText)" }.joined(separator: "&") }

  fileprivate func names(_ name: String) -> Bool { items.contains { $0.name.isSameText(as: name) } }
}

extension FieldMatchers {
  /// The part of a request that has the fields.
  enum Place: String {
    case query, form, cookies

    fileprivate func fields(of parsed: ParsedRequest) -> ReceivedFields {
      switch self {
      case .query: parsed.query
      case .form: parsed.form
      case .cookies: parsed.cookies
      }
    }

    fileprivate var doubt: String {
      self == .cookies ? "a cookie isn't text in UTF-8" : "the \(self) isn't text in UTF-8"
    }

    /// Whether U+FFFD in these texts replaces bytes that aren't UTF-8; otherwise it was sent.
    private func hasUnread(_ parsed: ParsedRequest) -> Bool {
      switch self {
      case .query: !parsed.isQueryText
      case .form: !ReceivedFields.isText(parsed.request.body)
      case .cookies: true
      }
    }

    fileprivate func unread(_ texts: [String], in parsed: ParsedRequest) -> UnreadText? {
      UnreadText(texts).flatMap { hasUnread(parsed) ? $0 : nil }
    }
  }

  func look(at place: Place, _ look: inout Look) {
    let parsed = look.parsed
    let fields = place.fields(of: parsed)
    for item in items where !look.isSettled {
      let values = fields.values(of: item.name)
      func unread() -> UnreadText? {
        // An unread name may be this one, unless it is ASCII.
        let others = item.name.isASCII ? [] : fields.pairs.map(\.name).filter { !names($0) }
        return place.unread(others, in: parsed) == nil ? place.unread(values, in: parsed) : .name
      }
      let state = item.value.state(of: values, isAlone: isExact, in: look, unread())
      look.add(
        state, doubt: place.doubt,
        Look.Row(
          item.name, "\(item.name) in the \(place)", wanted: item.value, found: values, state,
          state == .unread ? unread() : nil))
    }
    if isExact { lookForOthers(in: fields, at: place, &look) }
  }

  private func lookForOthers(in fields: ReceivedFields, at place: Place, _ look: inout Look) {
    let parsed = look.parsed
    var others: Set<[UInt8]> = []
    for item in fields.pairs where !look.isSettled && !names(item.name) {
      // By bytes, which are hashed quickly, whatever they are.
      guard others.insert(Array(item.name.utf8)).inserted else { continue }
      let mayBeWanted = items.contains { !$0.name.isASCII } && place.unread([item.name], in: parsed) != nil
      let name = item.name.clipped
      look.add(
        mayBeWanted ? .unread : .unmet, doubt: place.doubt,
        Look.Row(
          name, wanted: "absent", found: item.value.quotedAndClipped, "\(name) is in the \(place), too",
          weight: 0.1))
    }
  }
}

// MARK: - Form

extension FieldMatchers: FormConvertible {
  /// The form of inexact matchers; the owner's names the kind.
  var form: TrackingValue { .object(Dictionary(items.map { ($0.name, $0.value.form) }) { $1 }) }

  static func read(_ form: TrackingValue) -> FieldMatchers? { read(form, isExact: false) }

  static func read(_ form: TrackingValue, isExact: Bool) -> FieldMatchers? {
    [String: ValueMatcher].read(form).map { FieldMatchers($0, isExact: isExact) }
  }
}
