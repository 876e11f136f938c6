import Foundation
import TrackingModel
import TrackingPatterns

extension BodyCondition: RequestPart {
  static let name = "body"

  var known: KnownPart? { nil }

  func accepts(_ parsed: ParsedRequest) -> Bool {
    let request = parsed.request
    switch kind {
    case .exact(let wanted): return request.body == wanted
    case .pieces(let wanted): return wanted.accepts(request.body)
    default: break
    }
    return !request.isCoded && acceptsText(of: parsed)
  }

  private func acceptsText(of parsed: ParsedRequest) -> Bool {
    let request = parsed.request
    return switch kind {
    case .exact, .pieces: false
    case .text(let wanted): wanted.accepts(fieldWith: [request.text])
    case .json(let wanted): Self.accepts(jsonOf: parsed, wanted)
    case .jsonSubset(let wanted): Self.accepts(jsonOf: parsed, wanted.allowingMoreMembers)
    case .form(let wanted): FieldComparison.accepts(request.form, wanted, isExact: true)
    case .formSubset(let wanted): FieldComparison.accepts(request.form, wanted, isExact: false)
    case .multipart(let wanted):
      request.parts.map { parts in wanted.allSatisfy { name, part in Self.accepts(parts.named(name), part) } } ?? false
    case .allParts(let wanted):
      request.parts.map { parts in
        parts.count == wanted.values.map(\.count).reduce(0, +)
          && wanted.allSatisfy { Self.accepts(parts.named($0), all: $1) }
      } ?? false
    }
  }

  func doubt(about parsed: ParsedRequest) -> String? {
    let request = parsed.request
    if case .exact(let wanted) = kind, request.body == wanted { return nil }
    if case .pieces(let wanted) = kind, wanted.accepts(request.body) { return nil }
    if let coding = parsed.coding { return "the body is \(coding)" }
    let type = request.headers["Content-Type"]
    switch kind {
    case .exact, .pieces: return nil
    case .text(let wanted):
      let unread = UnreadText(request.body, type: type)
      return UnreadText.certainty(of: [request.text], wanted, unread) == .maybe
        ? unread.map { "the body \($0.words)" } : nil
    case .json, .jsonSubset:
      guard !request.body.isEmpty, case .failure(let difference) = parsed.json, request.isMeantAsJSON else {
        return nil
      }
      return UnreadText(request.body, type: type).map { "the body \($0.words)" } ?? difference.text
    case .form(let wanted): return Self.doubt(aboutFormOf: request, wanted, isExact: true)
    case .formSubset(let wanted): return Self.doubt(aboutFormOf: request, wanted, isExact: false)
    case .multipart, .allParts:
      guard let parts = request.parts else {
        return type?.lowercased().hasPrefix("multipart/form-data") == true ? "the parts of the body can't be read" : nil
      }
      if case .multipart(let wanted) = kind { return Self.doubt(about: parts, wanted) }
      return nil
    }
  }

  private static func doubt(
    aboutFormOf request: ReceivedRequest, _ wanted: [String: ValueMatcher], isExact: Bool
  ) -> String? {
    guard !ReceivedFields.isText(request.body),
      FieldComparison.certainty(of: request.form, wanted, isExact: isExact) == .maybe
    else { return nil }
    return "the form isn't text in UTF-8"
  }

  private static func doubt(about parts: [ReceivedPart], _ wanted: [String: PartCondition]) -> String? {
    let hasUnreadName = parts.contains { $0.name.hasReplacement }
    var unread: String?
    for (name, condition) in wanted.sorted(by: { $0.key < $1.key }) {
      let results = parts.named(name).map { certainty(of: $0, condition) }
      switch results.map(\.certainty).max() ?? .no {
      case .yes: continue
      case .no: guard hasUnreadName, !name.isASCII else { return nil }
      case .maybe: break
      }
      unread = unread ?? "the part \(name) \(results.lazy.compactMap(\.words).first ?? "isn't text in UTF-8")"
    }
    return unread
  }

  /// Whether a part is accepted, as far as its texts can be read, and the first text that can't.
  private static func certainty(of part: ReceivedPart, _ wanted: PartCondition) -> (
    certainty: Certainty, words: String?
  ) {
    let texts: [(values: [String], matcher: ValueMatcher?, unread: UnreadText?)] = [
      ([part.text], wanted.content, UnreadText(part.data, type: part.headers["Content-Type"])),
      ([part.fileName].compactMap(\.self), wanted.fileName, UnreadText([part.fileName ?? ""])),
      ([part.type], wanted.type, UnreadText([part.type])),
    ]
    let certainty = texts.map { text in
      text.matcher.map { UnreadText.certainty(of: text.values, $0, text.unread) } ?? .yes
    }.min()
    return (certainty ?? .yes, texts.lazy.compactMap(\.unread?.words).first)
  }

  private static func accepts(jsonOf parsed: ParsedRequest, _ wanted: ValueMatcher) -> Bool {
    guard !parsed.request.body.isEmpty, case .success(let value) = parsed.json else { return false }
    return wanted.accepts(value)
  }

  private static func accepts(_ parts: [ReceivedPart], _ wanted: PartCondition) -> Bool {
    parts.contains { accepts($0, wanted) }
  }

  private static func accepts(_ parts: [ReceivedPart], all wanted: [PartCondition]) -> Bool {
    parts.count == wanted.count && zip(parts, wanted).allSatisfy(accepts)
  }

  private static func accepts(_ part: ReceivedPart, _ wanted: PartCondition) -> Bool {
    wanted.pieces?.accepts(part.data) ?? wanted.content.accepts(fieldWith: [part.text])
      && (wanted.fileName?.accepts(fieldWith: [part.fileName].compactMap(\.self)) ?? true)
      && (wanted.type?.accepts(fieldWith: [part.type]) ?? true)
  }

  func compare(_ parsed: ParsedRequest, _ comparison: inout StubComparison) {
    let request = parsed.request
    if let coding = parsed.coding, !accepts(parsed) {
      return comparison.add("body", wanted: words ?? "", found: coding, weight: 0.1)
    }
    switch kind {
    case .exact(let wanted): Self.compare(request.body, with: wanted, &comparison)
    case .text(let wanted):
      FieldComparison.compare(
        [request.text], with: wanted, "the body", label: "body",
        unread: UnreadText(request.body, type: request.headers["Content-Type"]), &comparison)
    case .json(let wanted): Self.compare(jsonOf: parsed, with: wanted, wanted, &comparison)
    case .jsonSubset(let wanted): Self.compare(jsonOf: parsed, with: wanted.allowingMoreMembers, wanted, &comparison)
    case .form(let wanted): FieldComparison.compare(request.form, with: wanted, "form", isExact: true, &comparison)
    case .formSubset(let wanted):
      FieldComparison.compare(request.form, with: wanted, "form", isExact: false, &comparison)
    case .multipart(let wanted):
      Self.compare(request.parts, with: wanted.mapValues { [$0] }, &comparison) { Self.accepts($0, $1[0]) }
    case .allParts(let wanted):
      Self.compare(request.parts, with: wanted, &comparison) { Self.accepts($0, all: $1) }
      for part in request.parts ?? [] where !wanted.keys.contains(where: { $0.isSameText(as: part.name) }) {
        comparison.add(
          part.name, wanted: "absent", found: part.words,
          StubDifference("the part \(StubDifference.shortened(part.name)) is there, too", weight: 0.1))
      }
    case .pieces(let wanted):
      let text = wanted.words
      comparison.add(
        "body", wanted: text, found: StubDifference.quoted(request.text),
        accepts(parsed) ? nil : StubDifference("the body isn't \(text)", weight: 0.3))
    }
  }

  private static func compare(_ body: Data, with wanted: Data, _ comparison: inout StubComparison) {
    let place = zip(body, wanted).enumerated().first { $1.0 != $1.1 }?.offset
    let words = place.map { "differs at byte \($0)" } ?? "has \(body.count) bytes, not \(wanted.count)"
    comparison.add(
      "body", wanted: "\(wanted.count) bytes", found: "\(body.count) bytes",
      note: place.map { "differs at byte \($0)" },
      body == wanted ? nil : StubDifference("the body \(words)", weight: 0.3))
  }

  private static func compare(
    jsonOf parsed: ParsedRequest, with wanted: ValueMatcher, _ written: ValueMatcher,
    _ comparison: inout StubComparison
  ) {
    let request = parsed.request
    guard !request.body.isEmpty else {
      comparison.add(
        "body", wanted: "\(written)", found: "empty", StubDifference("the body is empty, not \(written)", weight: 0.4))
      return
    }
    switch parsed.json {
    case .failure(let difference):
      let found = StubDifference.quoted(request.text)
      let unread = request.isMeantAsJSON ? UnreadText(request.body, type: request.headers["Content-Type"]) : nil
      let text = unread.map { "the body \($0.words)" } ?? difference.text
      comparison.add(
        "body", wanted: "\(written)", found: found, note: text, StubDifference(text, weight: difference.weight))
    case .success(let value):
      let differences = wanted.differences(of: value)
      for difference in differences { add(difference, &comparison) }
      if differences.isEmpty {
        comparison.add("body", wanted: "\(written)", found: StubDifference.shortened("\(value)"), nil)
      }
    }
  }

  private static func add(_ difference: Difference, _ comparison: inout StubComparison) {
    let path = StubDifference.shortened(difference.path)
    let wanted = "\(difference.expected)"
    let found = difference.found.map { StubDifference.shortened("\($0)") } ?? "missing"
    // "null (it is null)" repeats itself.
    let note = difference.note.flatMap { $0.hasPrefix("it is ") ? nil : $0 }
    func add(_ wanted: String, _ found: String, _ words: String, weight: Double) {
      comparison.add(
        path.isEmpty ? "body" : path, wanted: wanted, found: found, note: note, isJSON: !path.isEmpty,
        StubDifference("\(path.isEmpty ? "the body" : "\(path) in the body") \(words)", weight: weight))
    }
    switch difference.kind {
    case .value: add(wanted, found, "is \(found), not \(wanted)\(note.map { " (\($0))" } ?? "")", weight: 0.1)
    case .missing: add(wanted, found, "is missing, not \(wanted)", weight: 0.2)
    case .extra: add(wanted, found, "is there, too", weight: 0.1)
    // The problem of an invalid matcher; the other kinds are of events.
    case .name, .process, .condition, .rule: add("", wanted, wanted, weight: 0.1)
    }
  }

  private static func compare(
    _ parts: [ReceivedPart]?, with wanted: [String: [PartCondition]], _ comparison: inout StubComparison,
    accepts: ([ReceivedPart], [PartCondition]) -> Bool
  ) {
    guard let parts else {
      comparison.add(
        "body", wanted: "multipart/form-data", found: "not multipart/form-data",
        StubDifference("the body isn't multipart/form-data", weight: 0.4))
      return
    }
    for (name, conditions) in wanted.sorted(by: { $0.key < $1.key }) {
      let found = parts.named(name)
      let words = found.isEmpty ? "missing" : found.map(\.words).joined(separator: " and ")
      let wantedWords = conditions.map { $0.words.isEmpty ? "there" : String($0.words.drop { $0 == " " }) }
        .joined(separator: ", then ")
      let unread = found.lazy.flatMap { part in conditions.map { certainty(of: part, $0) } }
        .first { $0.certainty == .maybe }?.words
      let note = unread.map { "it \($0)" }
      let difference =
        found.isEmpty
        ? "the part \(name) is missing"
        : "the part \(name) is \(words), not one \(wantedWords)\(note.map { " (\($0))" } ?? "")"
      comparison.add(
        name, wanted: wantedWords, found: words, note: note,
        accepts(found, conditions) ? nil : StubDifference(difference, weight: found.isEmpty ? 0.2 : 0.1))
    }
  }
}

extension [ReceivedPart] {
  fileprivate func named(_ name: String) -> [ReceivedPart] { filter { $0.name.isSameText(as: name) } }
}

extension ReceivedPart {
  /// `"Walden"`, or for a file `"cover.png" of the type image/png`.
  fileprivate var words: String {
    fileName.map { "\(StubDifference.quoted($0)) of the type \(StubDifference.shortened(type))" }
      ?? StubDifference.quoted(text)
  }
}
