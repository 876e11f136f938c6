/// Whether a request matches, as far as is known.
package enum Certainty: Int, Comparable, Sendable {
  case no, maybe, yes

  package static func < (left: Certainty, right: Certainty) -> Bool { left.rawValue < right.rawValue }
}

/// The part of a request that is known.
package enum KnownPart: Sendable {
  /// Method, URL and query.
  case line
  /// The line and the header fields.
  case head
}
