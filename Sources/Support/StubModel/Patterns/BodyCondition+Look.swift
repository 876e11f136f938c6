import Foundation
import TrackingModel
import TrackingPatterns

extension BodyCondition: RequestPart {
  static let name = "body"

  var known: KnownPart { .all }

  func look(_ look: inout Look) {
    guard look.hasWholeBody() else { return }
    let request = look.parsed.request
    switch kind {
    case .exact(let wanted):
      if request.body != wanted, lookAtCoding(&look) { return }
      Self.look(&look, bytes: wanted)
    case .pieces(let wanted):
      let isSame = wanted.accepts(request.body)
      if !isSame, lookAtCoding(&look) { return }
      let text = wanted.words
      look.add(
        isSame ? .met : .unmet,
        Look.Row(
          "body", wanted: text, found: request.text.quotedAndClipped, "the body isn't \(text)", weight: 0.3)
      )
    case .text, .json, .jsonSubset, .exactJSON, .form, .multipart, .allParts:
      if !lookAtCoding(&look) { lookAtText(&look) }
    }
  }

  private func lookAtText(_ look: inout Look) {
    switch kind {
    case .exact, .pieces: break
    case .text(let wanted): Self.look(&look, text: wanted)
    case .json(let wanted): Self.look(&look, json: look.parsed.json, wanted, written: wanted)
    case .jsonSubset(let wanted):
      Self.look(&look, json: look.parsed.json, wanted.allowingMoreMembers, written: wanted)
    case .exactJSON(let wanted): Self.look(&look, json: look.parsed.exactJSON, wanted, written: wanted)
    case .form(let wanted): wanted.look(at: .form, &look)
    case .multipart(let wanted): Self.look(&look, parts: wanted)
    case .allParts(let wanted): Self.look(&look, allParts: wanted)
    }
  }

  /// Adds an unread row for a body with a content coding; returns `false` for one without.
  private func lookAtCoding(_ look: inout Look) -> Bool {
    guard let coding = look.parsed.coding else { return false }
    look.add(
      .unread, doubt: "the body is \(coding)", Look.Row("body", wanted: words ?? "", found: coding, weight: 0.1))
    return true
  }

  private static func look(_ look: inout Look, bytes wanted: Data) {
    let body = look.parsed.request.body
    func row() -> Look.Row {
      let place = zip(body, wanted).enumerated().first { $1.0 != $1.1 }?.offset
      let words = place.map { "differs at byte \($0)" }
      return Look.Row(
        "body", wanted: "\(wanted.count) bytes", found: "\(body.count) bytes", why: words,
        "the body \(words ?? "has \(body.count) bytes, not \(wanted.count)")", weight: 0.3)
    }
    look.add(body == wanted ? .met : .unmet, row())
  }

  private static func look(_ look: inout Look, text wanted: ValueMatcher) {
    let request = look.parsed.request
    func unread() -> UnreadText? { UnreadText(request.body, type: request.headers["Content-Type"]) }
    let state = wanted.state(of: [request.text], in: look, unread())
    look.add(
      state, doubt: "the body \(unread()?.words ?? "")",
      Look.Row("body", "the body", wanted: wanted, found: [request.text], state, unread()))
  }
}

// MARK: - JSON

extension BodyCondition {
  private static func look(
    _ look: inout Look, json: Result<TrackingValue, StubDifference>, _ wanted: ValueMatcher, written: ValueMatcher
  ) {
    let request = look.parsed.request
    guard !request.body.isEmpty else {
      return look.add(
        .unmet,
        Look.Row(
          "body", wanted: "\(written)", found: "empty", "the body is empty, not \(written)", weight: 0.4))
    }
    switch json {
    case .failure(let difference):
      // JSON is unread only where it is meant as JSON.
      let isMeant = request.isMeantAsJSON
      let unread = isMeant ? UnreadText(request.body, type: request.headers["Content-Type"]) : nil
      let text = unread.map { "the body \($0.words)" } ?? difference.text
      look.add(
        isMeant ? .unread : .unmet, doubt: text,
        Look.Row(
          "body", wanted: "\(written)", found: request.text.quotedAndClipped, why: text, text,
          weight: difference.weight))
    case .success(let value) where look.explains:
      let differences = wanted.differences(of: value)
      for difference in differences { look.add(.unmet, Look.Row(inBody: difference)) }
      guard differences.isEmpty else { return }
      look.add(
        .met, Look.Row("body", wanted: "\(written)", found: "\(value)".clipped, weight: 0))
    case .success(let value): look.add(wanted.accepts(value) ? .met : .unmet)
    }
  }
}

extension Look.Row {
  /// The difference of a value in a body, in the words and on the scale of requests.
  fileprivate init(inBody difference: Difference) {
    let (path, wanted) = (difference.path, "\(difference.expected)")
    let place = path.isEmpty ? "the body" : "\(path.clipped) in the body"
    let found = difference.found.map { "\($0)".clipped } ?? "missing"
    let why = difference.noteInBody
    let sentence =
      switch difference.kind {
      case .value: "\(place) is \(found), not \(wanted)\(why.map { " (\($0))" } ?? "")"
      case .missing: "\(place) is missing, not \(wanted)"
      case .extra: "\(place) is there, too"
      // The problem of an invalid matcher; the other kinds are of events.
      case .name, .process, .condition, .rule, .part: "\(place) \(wanted)"
      }
    let weight = difference.kind == .missing ? 0.2 : 0.1
    if path.isEmpty {
      self.init("body", wanted: wanted, found: found, why: why, sentence, weight: weight)
    } else {
      self.init(difference.saying(sentence, weight: weight))
    }
  }
}

// MARK: - Parts

extension BodyCondition {
  /// A name has the best of its parts.
  private static func look(_ look: inout Look, parts wanted: [String: PartCondition]) {
    guard let parts = parts(&look) else { return }
    let hasUnreadName = parts.contains { $0.name.hasReplacement }
    for (name, condition) in wanted.sorted(by: { $0.key < $1.key }) where !look.isSettled {
      let found = parts.named(name)
      let states = found.map { condition.state(of: $0, in: look) }
      let state = states.map(\.state).max() ?? .unmet
      let mayBeUnread = state == .unmet && hasUnreadName && !name.isASCII
      look.add(name, mayBeUnread ? .unread : state, found, [condition], states.lazy.compactMap(\.unread).first)
    }
  }

  private static func look(_ look: inout Look, allParts wanted: [String: [PartCondition]]) {
    guard let parts = parts(&look) else { return }
    for (name, conditions) in wanted.sorted(by: { $0.key < $1.key }) where !look.isSettled {
      let found = parts.named(name)
      let states = zip(conditions, found).map { $0.state(of: $1, in: look) }
      let state = found.count == conditions.count ? states.map(\.state).min() ?? .met : .unmet
      look.add(name, state, found, conditions, states.lazy.compactMap(\.unread).first)
    }
    for part in parts where !look.isSettled && !wanted.keys.contains(where: { $0.isSameText(as: part.name) }) {
      let name = part.name.clipped
      look.add(
        .unmet, Look.Row(part.name, wanted: "absent", found: part.words, "the part \(name) is there, too", weight: 0.1))
    }
  }

  /// The parts of the body; adds a condition that isn't met if it has none.
  private static func parts(_ look: inout Look) -> [ReceivedPart]? {
    if let parts = look.parsed.parts { return parts }
    let type = look.parsed.request.headers["Content-Type"]?.lowercased() ?? ""
    look.add(
      type.hasPrefix("multipart/form-data") ? .unread : .unmet, doubt: "the parts of the body can't be read",
      Look.Row(
        "body", wanted: "multipart/form-data", found: "not multipart/form-data", "the body isn't multipart/form-data",
        weight: 0.4))
    return nil
  }
}

extension Look {
  fileprivate mutating func add(
    _ name: String, _ state: State, _ found: [ReceivedPart], _ wanted: [PartCondition], _ unread: UnreadText?
  ) {
    let unreadWords = unread?.words ?? "isn't text in UTF-8"
    func row() -> Row {
      let words = found.isEmpty ? "missing" : found.map(\.words).joined(separator: " and ")
      let wantedWords = wanted.map { $0.words.isEmpty ? "there" : String($0.words.drop { $0 == " " }) }
        .joined(separator: ", then ")
      let why = state == .unread ? "\(unread == nil ? "a name" : "it") \(unreadWords)" : nil
      return Row(
        name, wanted: wantedWords, found: words, why: why,
        found.isEmpty
          ? "the part \(name) is missing"
          : "the part \(name) is \(words), not one \(wantedWords)\(why.map { " (\($0))" } ?? "")",
        weight: found.isEmpty ? 0.2 : 0.1)
    }
    add(state, doubt: "the part \(name) \(unreadWords)", row())
  }
}

extension [ReceivedPart] {
  fileprivate func named(_ name: String) -> [ReceivedPart] { filter { $0.name.isSameText(as: name) } }
}

extension ReceivedPart {
  /// `"Walden"`, or for a file `"cover.png" of the type image/png`.
  fileprivate var words: String {
    fileName.map { "\($0.quotedAndClipped) of the type \(type.clipped)" }
      ?? text.quotedAndClipped
  }
}
