import TrackingModel

/// The path to a value in JSON, written as `items[0].price` or as a JSON pointer.
package struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  package enum Step: Hashable, Sendable {
    case member(String)
    case element(Int)
    /// Each element; the first where one value is needed.
    case each
  }

  package var steps: [Step]

  package init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// Reads a path of members and of all elements: `payload.batch[]`, `[]`; empty for the whole.
  package init(_ text: String) {
    steps = text.split(separator: ".").flatMap { part -> [Step] in
      var name = part
      while name.hasSuffix("[]") { name = name.dropLast(2) }
      return (name.isEmpty ? [] : [.member(String(name))])
        + Array(repeating: .each, count: (part.utf8.count - name.utf8.count) / 2)
    }
  }

  /// The first name with a bracket that doesn't belong to `[]` at its end: `items[`, `items[0]`.
  ///
  /// Other brackets may be part of a name: `[Amplitude] Page`.
  package var misplacedBracket: String? {
    steps.lazy.compactMap { step in
      guard case .member(let name) = step else { return nil }
      let rest = name.replacing(/\[[^\[\]]*[^\[\]0-9][^\[\]]*\]/, with: "")
      return rest.contains { "[]".contains($0) } ? name : nil
    }.first
  }

  /// Reads a percent-encoded JSON pointer (RFC 6901) of a URI fragment; an index is a member's name until an array is reached.
  package init?(pointer: Substring) {
    guard let text = String(pointer).removingPercentEncoding, text.hasPrefix("/") else { return nil }
    steps = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      .member(String($0).replacing("~1", with: "/").replacing("~0", with: "~"))
    }
  }

  /// The path of the object or array with the value; `nil` for a member of the whole.
  package var holder: JSONPath? { steps.count > 1 ? JSONPath(steps.dropLast()) : nil }

  package func appending(_ step: Step) -> JSONPath { JSONPath(steps + [step]) }

  /// As in patterns: `items[0].price`.
  package var description: String { text { "[\($0)]" } }
  /// As in plans, without the indices of elements: `items[].price`.
  package var general: String { text { _ in "[]" } }

  private func text(_ element: (Int) -> String) -> String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let index): text += element(index)
      case .each: text += "[]"
      }
    }
  }
}

extension JSONPath.Step {
  /// Compares names by their UTF-8 bytes.
  package static func == (left: JSONPath.Step, right: JSONPath.Step) -> Bool {
    switch (left, right) {
    case (.member(let name), .member(let other)): name.isSameText(as: other)
    case (.element(let index), .element(let other)): index == other
    case (.each, .each): true
    case (.member, _), (.element, _), (.each, _): false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .member(let name): name.hashText(into: &hasher)
    case .element(let index): hasher.combine(index)
    case .each: hasher.combine(-1)
    }
  }
}

// MARK: Names with dots

extension JSONPath: Comparable {
  package static func < (left: JSONPath, right: JSONPath) -> Bool { left.escaped.precedes(right.escaped) }

  /// Like ``general``, but another text for each path: a name has a backslash before its dots and backslashes, and before `[]` at its end.
  package var escaped: String {
    var bytes: [UInt8] = []
    for (place, step) in steps.enumerated() {
      guard case .member(let name) = step else {
        bytes += "[]".utf8
        continue
      }
      if place > 0 { bytes.append(UInt8(ascii: ".")) }
      let start = bytes.count
      for byte in name.utf8 {
        if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      }
      if bytes[start...].endsWithBrackets { bytes.insert(UInt8(ascii: "\\"), at: bytes.count - 2) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads what ``escaped`` writes.
  package init(escaped text: String) {
    var steps: [Step] = []
    var name: [UInt8] = []
    // The number of bytes up to the last escaped one, which aren't brackets of elements.
    var literal = 0
    func endName() {
      var elements = 0
      while name[literal...].endsWithBrackets {
        name.removeLast(2)
        elements += 1
      }
      steps += [.member(String(decoding: name, as: UTF8.self))] + Array(repeating: .each, count: elements)
      (name, literal) = ([], 0)
    }
    var isEscaped = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\") where !isEscaped:
        isEscaped = true
        continue
      case UInt8(ascii: ".") where !isEscaped: endName()
      default:
        name.append(byte)
        if isEscaped { literal = name.count }
      }
      isEscaped = false
    }
    endName()
    self.steps = steps
  }
}

extension ArraySlice<UInt8> {
  fileprivate var endsWithBrackets: Bool { suffix(2).elementsEqual("[]".utf8) }
}

extension TrackingValue {
  package func value(at path: JSONPath) -> TrackingValue? {
    path.steps.reduce(self) { value, step in
      switch (step, value) {
      case (.member(let name), .object(let members)?): members[name]
      case (.element(let index), .array(let elements)?): elements.indices.contains(index) ? elements[index] : nil
      case (.each, .array(let elements)?): elements.first
      default: nil
      }
    }
  }

  /// Replaces or removes (`nil`) the value at a path; unchanged if the path leads to no value.
  package func changing(at path: some Collection<JSONPath.Step>, _ change: (TrackingValue) -> TrackingValue?)
    -> TrackingValue?
  {
    guard let step = path.first else { return change(self) }
    switch (step, self) {
    case (.member(let name), .object(var members)):
      guard let member = members[name] else { return self }
      members[name] = member.changing(at: path.dropFirst(), change)
      return .object(members)
    case (.element(let index), .array(var elements)):
      guard elements.indices.contains(index) else { return self }
      elements.replaceSubrange(
        index...index, with: [elements[index].changing(at: path.dropFirst(), change)].compactMap(\.self))
      return .array(elements)
    default: return self
    }
  }
}

extension JSONTree {
  /// The name of an element is its index.
  package func child(at step: JSONPath.Step) -> JSONTree? {
    switch step {
    case .member(let name):
      guard let elements else { return self[name] }
      guard let index = Int(name), elements.indices.contains(index), String(index) == name else { return nil }
      return elements[index]
    case .element(let index): return elements.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    case .each: return elements?.first
    }
  }

  package func child(at steps: some Sequence<JSONPath.Step>) -> JSONTree? {
    steps.reduce(self) { $0?.child(at: $1) }
  }
}
