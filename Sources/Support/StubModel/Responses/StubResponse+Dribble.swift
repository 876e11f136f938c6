import Foundation

extension StubResponse {
  /// A body that is sent in pieces over a time.
  package struct Dribble: Hashable, Codable, Sendable {
    /// Seconds from the first piece to the last.
    package var duration: TimeInterval
    /// At most the number of bytes, and at most 10,000.
    package var pieces: Int

    package init(over duration: TimeInterval, pieces: Int) {
      self.duration = duration
      self.pieces = pieces
    }

    /// Each piece is a separate step for the sender.
    private static let mostPieces = 10_000

    /// The pieces of a body of `count` bytes; none is empty.
    package func pieces(ofBytes count: Int) -> [Range<Int>] {
      let pieces = max(min(pieces, count, Self.mostPieces), 0)
      return (0..<pieces).map { count * $0 / pieces..<count * ($0 + 1) / pieces }
    }
  }
}
