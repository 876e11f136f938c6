import Foundation
import StubReplay
import TrackingJSON

extension RecordedExchange.Request {
  /// The request with `{any}` in place of what the request that was sent doesn't match, though it has no placeholder or one of another form: a
  /// number that another one has replaced, a value with slashes in the path.
  ///
  /// - Parameters:
  ///   - sent: The request with its secrets.
  ///   - numbers: The numbers that responses have handed out in place of secret ones; an app sends them again.
  func opened(for sent: RecordedExchange.Request, keeping numbers: Set<String>) -> RecordedExchange.Request {
    guard self != sent else { return self }
    var request = self
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    request.open(
      \.path, sent, [segments.map { OpenText.isOpen("\($0)") ? OpenText.any : "\($0)" }.joined(separator: "/")],
      else: "/\(OpenText.any)")
    request.open(\.query, sent, [Self.items(query ?? "", sent.query ?? "", keeping: numbers)], else: OpenText.any)
    let (own, other) = (String(decoding: body, as: UTF8.self), String(decoding: sent.body, as: UTF8.self))
    let json = JSONTree(recorded: body).flatMap { tree in
      JSONTree(recorded: sent.body).map { tree.replacingNumbers(unlike: $0).text(.compact) }
    }
    request.open(
      \.body, sent, [json, Self.items(own, other)].compactMap { $0.map { Data($0.utf8) } },
      else: Data(OpenText.any.utf8))
    return request
  }

  /// Replaces a part by the first of some values that a replay matches with what was sent.
  private mutating func open<Part: Equatable>(
    _ part: WritableKeyPath<RecordedExchange.Request, Part>, _ sent: RecordedExchange.Request, _ values: [Part?],
    else last: Part
  ) {
    guard self[keyPath: part] != sent[keyPath: part] else { return }
    func matches(_ value: Part) -> Bool {
      changed(self) { $0[keyPath: part] = value }.matches(changed(self) { $0[keyPath: part] = sent[keyPath: part] })
    }
    let candidates = [self[keyPath: part]] + values.compactMap(\.self)
    self[keyPath: part] = candidates.first(where: matches) ?? last
  }

  /// Whether a replay of this request alone responds to another one.
  private func matches(_ other: RecordedExchange.Request) -> Bool {
    let recording = BackendRecording(exchanges: [RecordedExchange(request: self, answer: .init())])
    let request = HTTPRequest(
      method: .init(rawValue: other.method), path: other.path, queryText: other.query, headers: other.headers,
      body: other.body)
    return recording.conditions(comparing: [])[0].pattern.matches(RequestReading(request))
  }

  /// The items of a query or a form, with `{any}` for those that differ and have no placeholder; `nil` if there are others.
  private static func items(_ text: String, _ sent: String, keeping numbers: Set<String> = []) -> String? {
    let parts = [text, sent].map { $0.split(separator: "&", omittingEmptySubsequences: false) }
    guard parts[0].count == parts[1].count else { return nil }
    return zip(parts[0], parts[1]).map { own, sent in
      guard own != sent, let equals = own.firstIndex(of: "=") else { return "\(own)" }
      let value = FormFields("\(own)").pairs.first?.value ?? ""
      return OpenText.isWhole(value) || numbers.contains(value) ? "\(own)" : own[...equals] + OpenText.any
    }.joined(separator: "&")
  }
}

extension JSONTree {
  /// A body that is kept as JSON.
  init?(recorded body: Data) {
    guard let tree = try? JSONTree(body, spelling: .written, maximumDepth: RecordingFormat.deepestBody) else {
      return nil
    }
    self = tree
  }

  /// The tree with `{any}` for numbers that differ from those of a tree with the same members.
  func replacingNumbers(unlike other: JSONTree, _ note: (JSONTree) -> Void = { _ in }) -> JSONTree {
    if let members, let others = other.members, members.count == others.count {
      return JSONTree(
        .object(
          zip(members, others).map { member, other in
            changed(member) { $0.value = $0.value.replacingNumbers(unlike: other.value, note) }
          }))
    }
    if let elements, let others = other.elements, elements.count == others.count {
      return JSONTree(.array(zip(elements, others).map { $0.replacingNumbers(unlike: $1, note) }))
    }
    guard members == nil, elements == nil, string == nil, text(.compact) != other.text(.compact) else { return self }
    note(self)
    return JSONTree(OpenText.any)
  }
}
