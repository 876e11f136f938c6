package struct StubDifference: Error, Hashable, Sendable {
  package let text: String
  /// The request's distance from matching: from just above 0 to 1 for a completely different part.
  package let weight: Double

  init(_ text: String, weight: Double) {
    self.text = text
    self.weight = weight
  }
}
