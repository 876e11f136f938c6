import TrackingModel

package struct StubDifference: Error, Hashable, Sendable {
  package let text: String
  /// The request's distance from matching: from just above 0 to 1 for a completely different part.
  package let weight: Double

  init(_ text: String, weight: Double) {
    self.text = text
    self.weight = weight
  }

  /// Quotes a text as in JSON, so that white space shows.
  static func quoted(_ text: String) -> String { shortened("\(TrackingValue.string(text))") }

  /// Shortens a text, since a request's may be long.
  static func shortened(_ text: String) -> String {
    // By scalars: one character may be as long as a whole body.
    let beginning = text.unicodeScalars.prefix(200)
    return beginning.endIndex == text.endIndex ? text : String(beginning) + "\u{2026}"
  }
}
