import TrackingPatterns

package struct StubComparison: Hashable, Sendable {
  private struct Part: Hashable, Sendable {
    let label: String
    let wanted: String
    let found: String
    /// A note, if the two texts alone don't show the difference.
    let note: String?
    let difference: StubDifference?
    /// Whether the label is the path of a value in a JSON body.
    var isJSON = false

    /// The part of the request, in words that follow its number: `has {"n": 1}`.
    var summary: String {
      switch (label, found) {
      case (_, "missing"): return "has no \(label)"
      case ("status", "no response yet"), ("status", "no status"): return "has \(found)"
      case ("request", _), ("where", _): return difference?.text ?? "differs"
      case ("body", _) where found.contains(" were kept"): return "has an incomplete body"
      case _ where wanted == "absent": return "has an extra \(label)"
      case _ where isJSON && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }:
        return "has {\"\(label)\": \(found)}"
      case ("path", _), ("method", _), ("status", _), ("body", _), ("host", _), ("port", _), ("scheme", _):
        return "has the \(label) \(found)"
      default: return "has \(label): \(found)"
      }
    }

    /// Cuts the text so that the note fits behind it.
    func foundText(width: Int) -> String {
      guard let note else { return Excerpt.of(found, width: width) }
      let suffix = " (\(note))"
      return Excerpt.of(Excerpt.of(found, width: max(width - suffix.count, 16)) + suffix, width: width)
    }
  }

  private var parts: [Part] = []

  package init() {}

  package var differences: [StubDifference] { parts.compactMap(\.difference) }

  /// The parts of the request that differ, in words that follow its number: `has {"n": 1}`, `differs in path and method`.
  package var summary: String {
    let differing = parts.filter { $0.difference != nil }
    if differing.count == 1 { return differing[0].summary }
    let labels = differing.prefix(3).map(\.label) + (differing.count > 3 ? ["\(differing.count - 3) more"] : [])
    return "differs in \(labels.dropLast().joined(separator: ", ")) and \(labels.last ?? "")"
  }

  /// Everything that differs, for programs.
  package var facts: [DifferenceFacts] {
    parts.compactMap { part in
      part.difference.map {
        DifferenceFacts(
          param: part.label, expected: .string(part.wanted), found: .string(part.found), reason: $0.text)
      }
    }
  }

  /// The distance of the request from matching.
  package var weight: Double { differences.reduce(0) { $0 + $1.weight } }

  package static func + (left: StubComparison, right: StubComparison) -> StubComparison {
    var comparison = left
    comparison.parts += right.parts
    return comparison
  }

  mutating func add(
    _ label: String, wanted: String, found: String, note: String? = nil, isJSON: Bool = false,
    _ difference: StubDifference?
  ) {
    parts.append(
      Part(label: label, wanted: wanted, found: found, note: note, difference: difference, isJSON: isJSON))
  }

  /// Adds a part whose difference reads "the path is /a, not /b"; `weight` is `nil` if nothing differs.
  package mutating func add(
    _ label: String, wanted: String, found: String, note: String? = nil, weight: Double?
  ) {
    let text = "the \(label) is \(found), not \(wanted)\(note.map { ": \($0)" } ?? "")"
    add(label, wanted: wanted, found: found, note: note, weight.map { StubDifference(text, weight: $0) })
  }

  /// A table with one line for each part, and a mark where they differ; `wanted` is the title of the column of expected values.
  ///
  /// ```
  ///             stub                 request
  ///   ! path    /books/:id           /book/1
  ///     method  GET                  GET
  /// ```
  package func lines(wanted: String = "stub", width: Int = Excerpt.columns) -> [String] {
    let labelWidth = min(parts.map(\.label.count).max() ?? 0, 20)
    let wantedLimit = max((width - labelWidth - 6) / 2, 16)
    let wantedTexts = [wanted] + parts.map { Excerpt.of($0.wanted, width: wantedLimit) }
    let wantedWidth = wantedTexts.map(\.count).max() ?? 0
    let foundLimit = max(width - labelWidth - wantedWidth - 6, 16)
    let foundTexts = ["request"] + parts.map { $0.foundText(width: foundLimit) }
    let labels = [""] + parts.map { Excerpt.of($0.label, width: labelWidth) }
    let marks = [" "] + parts.map { $0.difference == nil ? " " : "!" }
    return labels.indices.map { row in
      "\(marks[row]) \(Self.padded(labels[row], labelWidth))  \(Self.padded(wantedTexts[row], wantedWidth))  "
        + foundTexts[row]
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }
}
