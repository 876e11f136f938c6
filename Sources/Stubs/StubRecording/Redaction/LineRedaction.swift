import StubModel

/// Redacts lines for a console or a log while a recording is made, by the exchanges that are known so far.
struct LineRedaction {
  private let isOff: Bool
  private var visitor: SecretVisitor
  private var count = 0

  init(_ redaction: SecretRedaction) {
    isOff = redaction.isOff
    visitor = SecretVisitor(names: redaction.names, secrets: SecretTable(values: redaction.values))
    visitor.secrets.number(inOrder: [])
    visitor.takeCollected()
  }

  /// A line without the secrets that are in it by their names and forms, and without those of exchanges.
  ///
  /// - Parameter exchanges: The exchanges since the last call.
  mutating func redacted(_ line: String, knowing exchanges: [RecordedExchange] = []) -> String {
    guard !isOff else { return line }
    for exchange in exchanges {
      _ = visitor.visit(exchange, at: count)
      count += 1
    }
    if !exchanges.isEmpty { visitor.takeCollected() }
    return visitor.redacted(line: line)
  }
}

extension SecretRedaction {
  /// A line for a console or a log, with the secrets replaced that their names or their forms show.
  public func redacted(_ line: String) -> String {
    var lines = LineRedaction(self)
    return lines.redacted(line)
  }
}
