import TrackingModel

/// One way in which a request differs from what a stub asks for.
package struct StubDifference: Error, Hashable, Sendable {
  /// The difference in words.
  package let text: String
  /// How far it is from fitting: from just above 0 to 1 for a part that is altogether different.
  package let weight: Double

  init(_ text: String, weight: Double) {
    self.text = text
    self.weight = weight
  }

  /// A text as JSON writes it, so that white space shows.
  static func quoted(_ text: String) -> String { shortened("\(TrackingValue.string(text))") }

  /// What a request holds may be long.
  static func shortened(_ text: String) -> String {
    // By scalars: one character may be as long as a whole body.
    let beginning = text.unicodeScalars.prefix(200)
    return beginning.endIndex == text.endIndex ? text : String(beginning) + "\u{2026}"
  }
}
