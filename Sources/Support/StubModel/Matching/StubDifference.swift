import TrackingModel

/// One way in which a request differs from a stub.
package struct StubDifference: Error, Hashable, Sendable {
  /// The difference in words.
  package let text: String
  /// The distance of the request from matching: from just above 0 to 1 for a part that is entirely different.
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
