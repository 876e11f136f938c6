import TrackingModel
import TrackingPatterns

enum FieldComparison {
  static func accepts(_ fields: ReceivedFields, _ wanted: [String: ValueMatcher], isExact: Bool) -> Bool {
    wanted.allSatisfy { name, value in accepts(fields.values(of: name), value, isExact: isExact) }
      && (!isExact || fields.pairs.allSatisfy { item in wanted.keys.contains { item.name.isSameText(as: $0) } })
  }

  private static func accepts(_ found: [String], _ wanted: ValueMatcher, isExact: Bool) -> Bool {
    if isExact, wanted.isList { return wanted.accepts(.array(found.map { .string($0) })) }
    return wanted.accepts(fieldWith: found) && !(isExact && found.count > 1)
  }

  /// Whether the fields are accepted, as far as their names and values can be read.
  static func certainty(of fields: ReceivedFields, _ wanted: [String: ValueMatcher], isExact: Bool) -> Certainty {
    let others = fields.pairs.filter { item in !wanted.keys.contains { item.name.isSameText(as: $0) } }
    let hasUnreadName = others.contains { $0.name.hasReplacement }
    var certainty = Certainty.yes
    for (name, value) in wanted {
      let found = Self.certainty(of: fields.values(of: name), value, isExact: isExact)
      let mayBeUnread = hasUnreadName && !name.isASCII && (found == .no || value.excludesTexts)
      certainty = min(certainty, mayBeUnread ? .maybe : found)
    }
    guard isExact else { return certainty }
    let mayBeWanted = wanted.keys.contains { !$0.isASCII }
    return others.reduce(certainty) { min($0, mayBeWanted && $1.name.hasReplacement ? .maybe : .no) }
  }

  private static func certainty(of found: [String], _ wanted: ValueMatcher, isExact: Bool) -> Certainty {
    guard isExact else { return UnreadText.certainty(of: found, wanted, UnreadText(found)) }
    let accepts = accepts(found, wanted, isExact: true)
    guard let unread = UnreadText(found), !unread.isDecided(by: wanted), found.count < 2 || wanted.isList,
      !accepts || wanted.excludesTexts
    else { return accepts ? .yes : .no }
    return .maybe
  }

  static func compare(
    _ fields: ReceivedFields, with wanted: [String: ValueMatcher], _ place: String, isExact: Bool,
    _ comparison: inout StubComparison
  ) {
    let unreadName = UnreadText(fields.pairs.map(\.name), isOfNames: true)
    for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
      let found = fields.values(of: name)
      compare(
        found, with: value, "\(name) in the \(place)", label: name, isAlone: isExact,
        unread: found.isEmpty && !name.isASCII ? unreadName : nil, &comparison)
    }
    guard isExact else { return }
    var others: Set<[UInt8]> = []
    for item in fields.pairs where !wanted.keys.contains(where: { item.name.isSameText(as: $0) }) {
      // By bytes, which are hashed quickly, whatever they are.
      guard others.insert(Array(item.name.utf8)).inserted else { continue }
      let name = StubDifference.shortened(item.name)
      comparison.add(
        name, wanted: "absent", found: StubDifference.quoted(item.value),
        StubDifference("\(name) is in the \(place), too", weight: 0.1))
    }
  }

  /// `isAlone` says whether the name must not be repeated; `unread` why the text can't be read, by default the reason for a field.
  static func compare(
    _ found: [String], with wanted: ValueMatcher, _ subject: String, label: String, isAlone: Bool = false,
    unread: UnreadText? = nil, _ comparison: inout StubComparison
  ) {
    let foundText = found.isEmpty ? "missing" : found.map(StubDifference.quoted).joined(separator: " and ")
    let wantedText = StubDifference.shortened("\(wanted)")
    let isSameList = isAlone && wanted.isList && wanted.accepts(.array(found.map { .string($0) }))
    let miss = isSameList ? nil : wanted.miss(ofFieldWith: found)
    guard !isSameList, miss != nil || isAlone && found.count > 1 else {
      comparison.add(label, wanted: wantedText, found: foundText, nil)
      return
    }
    let unread = (unread ?? UnreadText(found)).flatMap { $0.isDecided(by: wanted) ? nil : $0 }
    let note = unread?.note ?? miss?.note
    let words = note.map { " (\($0))" } ?? ""
    comparison.add(
      label, wanted: wantedText, found: foundText, note: note,
      StubDifference(
        "\(subject) is \(foundText), not \(wantedText)\(words)",
        weight: found.isEmpty ? 0.2 : 0.1 + 0.05 * (miss?.share ?? 0)))
  }

  /// `page=1&sort=(a text that contains "a")`.
  static func text(_ items: [String: ValueMatcher]) -> String {
    items.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.fieldText)" }.joined(separator: "&")
  }
}
