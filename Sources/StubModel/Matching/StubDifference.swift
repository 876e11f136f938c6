import TrackingModel
import TrackingPatterns

/// One way in which a request differs from a stub.
package struct StubDifference: Error, Hashable, Sendable {
  /// The difference in words.
  package let text: String
  /// How far the request is from matching: from just above 0 to 1 for a part that is entirely different.
  package let weight: Double

  init(_ text: String, weight: Double) {
    self.text = text
    self.weight = weight
  }

  /// A text as JSON writes it, so that white space shows.
  static func quoted(_ text: String) -> String { shortened("\(TrackingValue.string(text))") }

  /// The beginning of a text: what a request holds may be long.
  static func shortened(_ text: String) -> String {
    // By scalars: one character may be as long as a whole body.
    let beginning = text.unicodeScalars.prefix(200)
    return beginning.endIndex == text.endIndex ? text : String(beginning) + "\u{2026}"
  }
}

/// A stub and a request side by side.
package struct StubComparison: Hashable, Sendable {
  private struct Part: Hashable, Sendable {
    let label: String
    let wanted: String
    let found: String
    let difference: StubDifference?
  }

  private var parts: [Part] = []

  /// Everything that differs.
  package var differences: [StubDifference] { parts.compactMap(\.difference) }

  mutating func add(_ label: String, wanted: String, found: String, _ difference: StubDifference?) {
    parts.append(Part(label: label, wanted: wanted, found: found, difference: difference))
  }

  mutating func add(_ label: String, wanted: String, found: String, isSame: Bool, weight: Double) {
    add(
      label, wanted: wanted, found: found,
      isSame ? nil : StubDifference("the \(label) is \(found), not \(wanted)", weight: weight))
  }

  /// The parts as a table: a line each, with a mark where they differ.
  ///
  /// ```
  ///             stub                 request
  ///   ! path    /books/:id           /book/1
  ///     method  GET                  GET
  /// ```
  package func lines(width: Int = Excerpt.columns) -> [String] {
    let labelWidth = min(parts.map(\.label.count).max() ?? 0, 20)
    let valueWidth = max((width - labelWidth - 6) / 2, 16)
    let rows = parts.map { part in
      [
        part.difference == nil ? " " : "!", Excerpt.of(part.label, width: labelWidth),
        Excerpt.of(part.wanted, width: valueWidth), Excerpt.of(part.found, width: valueWidth),
      ]
    }
    let table = [["", "", "stub", "request"]] + rows
    let wantedWidth = table.map { $0[2].count }.max() ?? 0
    return table.map { row in
      let line = [(row[0], 1), (row[1], labelWidth), (row[2], wantedWidth)]
        .map { $0 + String(repeating: " ", count: max($1 - $0.count, 0)) }
      return "\(line[0]) \(line[1])  \(line[2])  \(row[3])"
    }
  }
}
