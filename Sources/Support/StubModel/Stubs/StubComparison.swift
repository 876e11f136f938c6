import TrackingModel
import TrackingPatterns

/// The differences between a pattern and a request, in words.
package struct StubComparison: Hashable, Sendable {
  private let rows: [Look.Row]

  init(_ rows: [Look.Row]) {
    self.rows = rows
  }

  private var differing: [Look.Row] { rows.filter { $0.state != .met } }

  /// Everything that differs.
  package var differences: [Difference] { differing.map(\.difference) }

  /// The parts of the request that differ, in words that follow its number: `has {"n": 1}`, `differs in path and method`.
  package var summary: String {
    let differing = differing
    if differing.count == 1 { return differing[0].summary }
    return "differs in \(differing.map(\.label).inWords(most: 3))"
  }

  /// The distance of the request from matching.
  package var weight: Double { differing.reduce(0) { $0 + $1.difference.weight } }

  /// A table with one line for each part, and a mark where they differ; `wanted` is the title of the column of expected values.
  ///
  /// ```
  ///             stub                 request
  ///   ! path    /books/:id           /book/1
  ///     method  GET                  GET
  /// ```
  package func lines(wanted: String = "stub", width: Int = Excerpt.columns) -> [String] {
    let labelWidth = min(rows.map(\.label.count).max() ?? 0, 20)
    let wantedLimit = max((width - labelWidth - 6) / 2, 16)
    let wantedTexts = [wanted] + rows.map { Excerpt.of($0.wanted, width: wantedLimit) }
    let wantedWidth = wantedTexts.map(\.count).max() ?? 0
    let foundLimit = max(width - labelWidth - wantedWidth - 6, 16)
    let foundTexts = ["request"] + rows.map { $0.foundText(width: foundLimit) }
    let labels = [""] + rows.map { Excerpt.of($0.label, width: labelWidth) }
    let marks = [" "] + rows.map { $0.state == .met ? " " : "!" }
    return labels.indices.map { row in
      "\(marks[row]) \(Self.padded(labels[row], labelWidth))  \(Self.padded(wantedTexts[row], wantedWidth))  "
        + foundTexts[row]
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }
}

extension Difference {
  /// The note, unless it repeats the value, as in "null (it is null)".
  var noteInBody: String? { note.flatMap { $0.hasPrefix("it is ") ? nil : $0 } }
}

extension Look.Row {
  fileprivate var label: String { difference.path.clipped }
  fileprivate var wanted: String { "\(difference.expected)" }
  fileprivate var found: String {
    guard isJSON else { return difference.found?.stringValue ?? "" }
    return difference.found.map { "\($0)".clipped } ?? "missing"
  }
  fileprivate var why: String? { isJSON ? difference.noteInBody : difference.note }
  /// Whether the difference is one of JSON in the body.
  private var isJSON: Bool { difference.kind != .part }

  /// The part of the request, in words that follow its number: `has {"n": 1}`.
  fileprivate var summary: String {
    switch (label, found) {
    case (_, "missing"): return "has no \(label)"
    case ("status", "no response yet"), ("status", "no response"): return "has \(found)"
    case ("request", _), ("where", _): return difference.reason
    case ("body", _) where found.contains(" were kept"): return "has an incomplete body"
    case _ where wanted == "absent": return "has an extra \(label)"
    case _ where isJSON && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }:
      return "has {\"\(label)\": \(found)}"
    case ("path", _), ("method", _), ("status", _), ("body", _), ("host", _), ("port", _), ("scheme", _):
      return "has the \(label) \(found)"
    default: return "has \(label): \(found)"
    }
  }

  /// Cuts the text so that the reason fits behind it.
  fileprivate func foundText(width: Int) -> String {
    guard let why else { return Excerpt.of(found, width: width) }
    let suffix = " (\(why))"
    return Excerpt.of(Excerpt.of(found, width: max(width - suffix.count, 16)) + suffix, width: width)
  }
}
