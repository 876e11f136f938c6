import Foundation

extension StubResult {
  /// A body that is sent in pieces over a time.
  public struct Dribble: Hashable, Codable, Sendable {
    /// Seconds from the first piece to the last.
    public var duration: TimeInterval
    /// Into how many pieces the body is cut: no more than it has bytes, and no more than 10,000.
    public var pieces: Int

    /// A body in pieces.
    public init(over duration: TimeInterval, pieces: Int) {
      self.duration = duration
      self.pieces = pieces
    }

    /// Each piece is a step of its own for whoever sends it.
    private static let mostPieces = 10_000

    /// Where a body of so many bytes is cut; no piece is empty.
    package func pieces(ofBytes count: Int) -> [Range<Int>] {
      let pieces = max(min(pieces, count, Self.mostPieces), 0)
      return (0..<pieces).map { count * $0 / pieces..<count * ($0 + 1) / pieces }
    }
  }
}
