extension String {
  /// This text where it is short, else its beginning and an ellipsis: for messages that quote what a client sent.
  package func shortened(to length: Int) -> String {
    // By scalars: one character may be as long as a whole body.
    let beginning = unicodeScalars.prefix(length)
    return beginning.endIndex == endIndex ? self : String(beginning) + "\u{2026}"
  }
}
