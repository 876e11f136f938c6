import TrackingSecrets

/// The values of JSON or XML, with the names that decide about them.
struct NamedValues {
  struct Value {
    enum Form {
      case string, number, key
      /// Text outside of any JSON.
      case other
    }

    let range: Range<Int>
    let form: Form
    let text: [UInt8]
    fileprivate(set) var context: Context

    /// The classification of a value by its name; of a name by those around it, under which only written names stay.
    var classification: SecretNames.Classification {
      guard form == .key, case .secret = context.classification else {
        return form == .key ? .plain : context.classification
      }
      let isWritten = text.count < SecretTable.shortest || SecretNames.isWrittenName(string(text))
      return isWritten ? .plain : context.classification
    }

    /// Whether the value is a text about the secret that its name denotes.
    var isLabel: Bool {
      context.isAboutErrors && text.contains(UInt8(ascii: " "))
        || context.isOwn && SecretNames.isLabel(string(text), of: context.name ?? "")
    }
  }

  struct Context {
    var name: String?
    var classification = SecretNames.Classification.plain
    /// Whether the nearest name decides.
    var isOwn = true
    var isAboutErrors = false
    var isLabel = false
    /// Whether a generated value is a token, and any other isn't.
    var isGrant = false
  }

  struct Frame {
    let context: Context
    /// `nil` for a member or an element, which is neither an object nor an array.
    let isObject: Bool?
    let start: Int
    /// The value of `name` in `{"name": "password", "value": "…"}`, if it is a secret name.
    var pair: Context?
    var pairValues: [Range<Int>] = []
  }

  let names: SecretNames
  /// A cache, since objects repeat few names.
  var known: [String: Context]
  private(set) var values: [Value] = []
  /// The open objects, members and elements, innermost last.
  private(set) var frames: [Frame] = []

  mutating func context(of name: String) -> Context {
    if let known = known[name] { return known }
    let new = Context(
      name: name, classification: names.classification(of: name), isAboutErrors: SecretNames.isAboutErrors(name),
      isLabel: SecretNames.isLabel(name), isGrant: SecretNames.isGrant(name))
    known[name] = new
    return new
  }

  mutating func add(_ range: Range<Int>, _ form: Value.Form, _ text: [UInt8]) {
    var context = frames.last?.context ?? Context()
    // Times, URLs and rights have colons.
    if context.isGrant, context.classification == .plain, form == .string, text.isMadeUp, !text.contains(0x3A) {
      context.classification = .secret(.token)
    }
    values.append(Value(range: range, form: form, text: text, context: context))
  }

  mutating func open(_ name: String?, isObject: Bool? = nil) {
    let outer = frames.last?.context ?? Context()
    var context = name.map { self.context(of: $0) } ?? outer
    context.isAboutErrors = context.isAboutErrors || outer.isAboutErrors
    // Every value under a secret name is secret, except descriptions of it.
    if name != nil, context.classification == .plain, outer.classification != .plain, !context.isLabel {
      (context.classification, context.isOwn) = (outer.classification, false)
    }
    frames.append(Frame(context: context, isObject: isObject, start: values.count))
  }

  mutating func close() {
    guard let frame = frames.popLast() else { return }
    for index in frame.pairValues.joined()
    where values[index].context.classification == .plain && values[index].form != .key {
      values[index].context = frame.pair ?? values[index].context
    }
    guard let parent = frames.indices.last, frame.isObject == nil else { return }
    let (name, own) = (frame.context.name?.lowercased() ?? "", frame.start..<values.count)
    // Not at depths beyond any backend's, or each pair would visit everything inside it.
    if parent < 200, ["value", "values", "val"].contains(name) { frames[parent].pairValues.append(own) }
    guard own.count == 1, frames[parent].pair == nil, Self.pairNames.contains(name[...]) else { return }
    let text = string(values[own.lowerBound].text)
    // RFC 6902 4: the path of an operation.
    let end = name == "path" ? text.split(separator: "/").last.map(String.init) ?? "" : text
    let pair = Context(name: end, classification: names.classification(ofField: end))
    if pair.classification != .plain, !end.utf8.contains(UInt8(ascii: " ")) { frames[parent].pair = pair }
  }

  private static let pairNames = Set(
    "name key id field param parameter property header variable path".split(separator: " "))
}
