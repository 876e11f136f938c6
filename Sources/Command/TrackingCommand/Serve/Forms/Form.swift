import TrackingJSON

/// A member of a JSON object that `serve` reads or sends: the one place for its name, its kind, whether it must be there, and its sentence.
struct FormMember: Sendable {
  let name: String
  let shape: Shape
  var isRequired = false
  /// Whether a form is meant only if its member has this shape: a count that may be 0 is of another form than one that isn't.
  var decides = false
  /// The member in a sentence; empty for a shape that has one.
  private let sentence: String

  init(_ name: String, _ shape: Shape, _ sentence: String = "", isRequired: Bool = false, decides: Bool = false) {
    (self.name, self.shape, self.sentence) = (name, shape, sentence)
    (self.isRequired, self.decides) = (isRequired, decides)
  }

  /// A member that must be there.
  static func required(_ name: String, _ shape: Shape, _ sentence: String = "") -> FormMember {
    FormMember(name, shape, sentence, isRequired: true)
  }

  var help: String {
    if case .named(let definition) = shape, sentence.isEmpty { definition.sentence } else { sentence }
  }

  /// The sentence that only this member has.
  var ownHelp: String { sentence }
}

/// Members of an object that go together.
struct Form: Sendable {
  /// JSON with its meaning, for the help and the article.
  struct Example: Sendable {
    let json: String
    let meaning: String
  }

  /// A refusal of a member that this form doesn't have, or of a form without a member, with the right one.
  ///
  /// `{}` in the text stands for the member's value.
  struct Note: Sendable {
    let member: String
    /// Another member that must be there, too.
    var beside: String?
    let text: String

    init(_ member: String, beside: String? = nil, _ text: String) {
      (self.member, self.beside, self.text) = (member, beside, text)
    }

    func text(for value: JSONNode?) -> String { text.replacing("{}", with: value?.tree.text(.compact) ?? "1") }
  }

  /// The member that tells this form from others; `nil` for the form without one.
  let selector: String?
  let members: [FormMember]
  var examples: [Example] = []
  var notes: [Note] = []
  /// The refusal of an object without a required member, at the note's member if that is there.
  var missing: Note?
  /// Whether other members may be there; only of responses.
  var isOpen = false

  init(
    _ selector: String? = nil, _ members: [FormMember], examples: [Example] = [], notes: [Note] = [],
    missing: Note? = nil, isOpen: Bool = false
  ) {
    (self.selector, self.members, self.examples) = (selector, members, examples)
    (self.notes, self.missing, self.isOpen) = (notes, missing, isOpen)
  }

  func member(_ name: String) -> FormMember? { members.first { $0.name == name } }
}

/// The forms of an object, of which one is meant.
struct Forms: Sendable {
  let all: [Form]
  /// The reason that forms can't be mixed: `send one check`.
  let one: String
  /// An object of this kind for a refusal of another value: `{"within": 1}`.
  let example: String?
  /// The members that an empty object lacks, in words; `nil` if it may be empty.
  let expected: String?

  init(_ all: [Form], one: String = "write one of them", example: String? = nil, expected: String? = nil) {
    (self.all, self.one, self.example, self.expected) = (all, one, example, expected)
  }

  /// One form.
  init(_ members: [FormMember], example: String? = nil, expected: String? = nil) {
    self.init([Form(nil, members)], example: example, expected: expected)
  }

  /// All members, each once, in the order of the forms; of the last form that has it.
  var members: [FormMember] {
    Self.members(of: all).map { member in all.reversed().lazy.compactMap { $0.member(member.name) }.first ?? member }
  }

  private static func members(of forms: [Form]) -> [FormMember] {
    forms.flatMap(\.members).reduce(into: []) { known, member in
      if !known.contains(where: { $0.name == member.name }) { known.append(member) }
    }
  }
}

// MARK: - Reading

extension Forms {
  /// Refuses an object that has none of the forms, and returns the index of its form.
  ///
  /// - Throws: The path of the member at fault, and what to write instead.
  @discardableResult
  func check(_ node: JSONNode) throws(JSONError) -> Int {
    guard node.isObject || example == nil else { throw node.mismatch("an object such as \(example ?? "")") }
    let members = try node.members()
    if members.isEmpty, let expected { throw node.error("expected \(expected)") }
    let index = try form(of: node, members)
    let form = all[index]
    for member in members where form.member(member.name) == nil && note(on: member, in: node, form) == nil {
      let hasPlain = all.contains { $0.selector == nil }
      let alike = all.filter { hasPlain || $0.selector == form.selector }
      throw node.unknownMember(member.name, Self.members(of: alike).map(\.name))
    }
    for member in members {
      guard let known = form.member(member.name) else { continue }
      // It would otherwise count as a missing member.
      guard member.node.tree.scalar != .null || known.shape.isNullable else {
        throw member.node.error("leave the member out instead of null")
      }
      try known.shape.check(member.node)
    }
    // After the values, because a mistake in one may be why another form was meant.
    for member in members {
      if let note = note(on: member, in: node, form) { throw member.node.error(note) }
    }
    for member in form.members where member.isRequired && node.tree[member.name] == nil {
      guard let note = form.missing else { throw node.error("the member \"\(member.name)\" is missing") }
      let place = members.first { $0.name == note.member }?.node
      throw (place ?? node).error(note.text(for: place))
    }
    return index
  }

  /// Returns the index of the form that is meant.
  private func form(of node: JSONNode, _ members: [(name: String, node: JSONNode)]) throws(JSONError) -> Int {
    func has(_ name: String) -> Bool { members.contains { $0.name == name } }
    let meant = all.indices.filter { all[$0].selector.map(has) ?? false }
    guard let first = meant.first, let last = meant.last(where: { all[$0].selector == all[first].selector }) else {
      if let plain = all.firstIndex(where: { $0.selector == nil }) { return plain }
      if all.count == 1 { return 0 }
      let names = all.compactMap(\.selector).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      guard let other = members.first else { throw node.error("expected one of \(names.joined(separator: ", "))") }
      throw node.unknownMember(other.name, names)
    }
    // Several forms with this member differ in their other members.
    let fitting = meant.first { index in
      all[index].selector == all[first].selector
        && all[index].members.allSatisfy { member in
          guard let part = members.first(where: { $0.name == member.name }) else {
            return !member.isRequired && !member.decides
          }
          return !member.decides || member.shape.accepts(part.node)
        }
    }
    return fitting ?? last
  }

  /// Returns what to write in place of a member of another form; `nil` for a member of the form, and for an unknown one.
  private func note(on member: (name: String, node: JSONNode), in node: JSONNode, _ form: Form) -> String? {
    guard form.member(member.name) == nil else { return nil }
    let note = form.notes.first { note in
      note.member == member.name && note.beside.map { node.tree[$0] != nil } ?? true
    }
    if let note { return note.text(for: member.node) }
    guard let selector = form.selector, all.contains(where: { $0.selector == member.name }) else { return nil }
    return "is there besides \(selector); \(one)"
  }
}
