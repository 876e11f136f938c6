import StubModel
import TrackingSecrets

/// Redacts lines for a console or a log while a recording is made, by the exchanges that are known so far.
struct LineRedaction {
  private let isOff: Bool
  private var visitor: SecretVisitor
  private var known: Set<Int> = []

  init(_ redaction: SecretRedaction) {
    isOff = redaction.isOff
    visitor = SecretVisitor(names: redaction.names, secrets: SecretTable(values: redaction.values))
    visitor.takeCollected()
  }

  /// A line without the secrets that are in it by their names and forms, and without those of exchanges.
  ///
  /// - Parameter exchanges: The exchanges that are known so far, by the same numbers each time.
  mutating func redacted(_ line: String, knowing exchanges: [Int: RecordedExchange] = [:]) -> String {
    guard !isOff else { return line }
    let fresh = exchanges.filter { !known.contains($0.key) }
    if !fresh.isEmpty {
      for (number, exchange) in fresh.sorted(by: { $0.key < $1.key }) { _ = visitor.visit(exchange, at: number) }
      known.formUnion(fresh.keys)
      visitor.takeCollected()
    }
    // A copy: what this line has is no reason to look for it in others.
    var copy = visitor
    return copy.redacted(line: line)
  }
}
