import TrackingModel

/// The white space of a JSON text.
package struct JSONLayout: Sendable {
  fileprivate enum Lines {
    case one
    case onePerValue
    case asNeeded(width: Int, keepsApart: @Sendable (JSONTree) -> Bool)
  }

  fileprivate let lines: Lines

  /// No white space.
  package static let compact = JSONLayout(lines: .one)

  /// One line for each element and member, indented by two spaces.
  package static let lines = JSONLayout(lines: .onePerValue)

  /// Returns a layout with each object or array on one line if it fits, else, or if `keepsApart` returns `true`, with one line for each element or
  /// member.
  package static func fitting(
    width: Int, keepsApart: @escaping @Sendable (JSONTree) -> Bool = { _ in false }
  ) -> JSONLayout {
    JSONLayout(lines: .asNeeded(width: width, keepsApart: keepsApart))
  }
}

extension JSONTree {
  /// Returns the value as JSON text.
  ///
  /// - Parameters:
  ///   - layout: The text's white space.
  ///   - indentation: The number of spaces before the text's first line, which aren't written.
  ///   - column: The number of characters before the text on its first line.
  package func text(_ layout: JSONLayout, indentation: Int = 0, column: Int? = nil) -> String {
    switch layout.lines {
    case .one: return line(spaced: false)
    case .onePerValue: break
    case .asNeeded(let width, let keepsApart):
      let line = line(spaced: true)
      if (column ?? indentation) + line.count <= width, !keepsApart(self) { return line }
    }
    let inner = indentation + 2
    func block(_ opening: String, _ lines: [String], _ closing: String) -> String {
      let margin = "\n" + String(repeating: " ", count: inner)
      return opening + margin + lines.joined(separator: "," + margin) + "\n"
        + String(repeating: " ", count: indentation)
        + closing
    }
    switch content {
    case .array(let elements) where !elements.isEmpty:
      return block("[", elements.map { $0.text(layout, indentation: inner) }, "]")
    case .object(let members) where !members.isEmpty:
      let lines = members.map { member in
        let name = member.spelledKey + ": "
        return name + member.value.text(layout, indentation: inner, column: inner + name.count)
      }
      return block("{", lines, "}")
    case .scalar, .spelled, .array, .object: return line(spaced: false)
    }
  }

  private func line(spaced: Bool) -> String {
    let comma = spaced ? ", " : ","
    switch content {
    case .scalar(let value): return value.description
    case .spelled(let text): return text
    case .array(let elements):
      return "[" + elements.map { $0.line(spaced: spaced) }.joined(separator: comma) + "]"
    case .object(let members):
      let texts = members.map { $0.spelledKey + (spaced ? ": " : ":") + $0.value.line(spaced: spaced) }
      guard spaced, !texts.isEmpty else { return "{" + texts.joined(separator: comma) + "}" }
      return "{ " + texts.joined(separator: comma) + " }"
    }
  }

  /// Returns a text as a JSON string, with quotation marks.
  package static func quoted(_ text: String) -> String { TrackingValue.string(text).description }
}

extension JSONTree.Member {
  fileprivate var spelledKey: String { spelling ?? JSONTree.quoted(key) }
}
