import TrackingSecrets

/// The rules that decide which values of a recording are secret.
///
/// A value is secret by its name where data has names, like `X-Api-Key`, `access_token` or `password`, and by its form everywhere, like a JSON Web
/// Token. A secret value of at least eight characters is also replaced everywhere else, in its usual spellings.
///
/// ```swift
/// SecretRedaction.standard.redacting("customerNumber").keeping("page_token")
/// ```
///
/// Equal values have equal placeholders, such as `[redacted token 1]`, so a login's token and that of the next request still agree.
public struct SecretRedaction: Hashable, Sendable {
  var names = SecretNames()
  var values: [String] = []
  private(set) var isOff = false

  package init() {}

  /// Redacts the values under usual names of secrets.
  public static let standard = SecretRedaction()

  /// Redacts nothing: a recording holds every password and token as sent.
  public static let off = changed(SecretRedaction()) { $0.isOff = true }

  /// Returns the rules with more secret names of header fields, cookies, query items, form fields and JSON members.
  ///
  /// Case, hyphens and underscores don't matter: `customer_number` also matches `customerNumber`.
  public func redacting(_ names: String...) -> SecretRedaction {
    changed(self) { $0.names.redact(names) }
  }

  /// Returns the rules with values to replace wherever they are, for example the password of the recording account.
  ///
  /// A recording with a value of fewer than eight characters is refused, since such a value is also part of other texts.
  public func redacting(values: [String]) -> SecretRedaction {
    changed(self) { $0.values += values }
  }

  /// Returns the rules without some names: their values are kept, here and in other places.
  ///
  /// Use it for values that aren't secret, such as a `page_token`, and for tokens that the app has to decode.
  public func keeping(_ names: String...) -> SecretRedaction {
    changed(self) { $0.names.keep(names) }
  }

  func check() throws {
    guard let count = values.map(\.unicodeScalars.count).first(where: { $0 < SecretTable.shortest }) else { return }
    throw RecordingError(
      """
      redacting(values:) has a value of \(count.counted("character")), but values of fewer than \(SecretTable.shortest) \
      aren't looked for, because they are also parts of other texts: name the field that holds it instead, with \
      redacting("…").
      """)
  }

  /// Numbers placeholders by their places, regardless of the order in which requests arrived.
  func redacted(_ exchanges: [RecordedExchange]) -> RedactedExchanges {
    guard !isOff else { return RedactedExchanges(exchanges: exchanges) }
    var visitor = SecretVisitor(names: names, values: values)
    for (index, exchange) in exchanges.enumerated() { _ = visitor.visit(exchange, at: index) }
    visitor.secrets.prepare()
    visitor.isReplacing = true
    var draft = visitor
    let drafted = exchanges.enumerated().map { draft.visit($1, at: $0) }
    var ranks = Array(repeating: 0, count: exchanges.count)
    for (rank, index) in ExchangeOrder.indices(of: drafted).enumerated() { ranks[index] = rank }
    let places = draft.positions.enumerated().map { ordinal, place in
      // Header fields and cookies come in any order, so their names decide.
      (key: (ranks[place.exchange], place.part, place.part % 4 == 0 ? place.name : "", ordinal), secret: place.secret)
    }
    visitor.secrets.number(inOrder: places.sorted { $0.key < $1.key }.map(\.secret))
    var check = LeakCheck(secrets: visitor.secrets)
    let checked = exchanges.enumerated().map { check.checked(visitor.visit($1, at: $0)) }
    return RedactedExchanges(
      exchanges: checked, positions: visitor.positions, leaks: check.leaks, secrets: visitor.secrets)
  }

  /// Returns a line for a console or a log without the secrets that their names or forms reveal.
  public func redacted(_ line: String) -> String {
    var lines = LineRedaction(self)
    return lines.redacted(line)
  }
}

struct RedactedExchanges {
  var exchanges: [RecordedExchange]
  var positions: [RedactedPosition] = []
  var leaks: [SecretLeak] = []
  var secrets = SecretTable()

  /// The number of places by name: `access_token (2), sid (7)`; `nil` if nothing was replaced.
  var summary: String? {
    // The name of a member, an item or a cookie may be a secret itself.
    let names = positions.map { secrets.leak(in: Array($0.name.utf8)) ?? $0.name }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
    return counts.isEmpty ? nil : counts.map { "\($0) (\($1))" }.joined(separator: ", ")
  }
}

/// Redacts lines for a console or a log during a recording, using the exchanges so far.
struct LineRedaction {
  private let isOff: Bool
  private var visitor: SecretVisitor

  init(_ redaction: SecretRedaction) {
    (isOff, visitor) = (redaction.isOff, SecretVisitor(names: redaction.names, values: redaction.values))
  }

  /// Removes the secrets that the line's names and forms reveal, and those of all exchanges so far.
  mutating func redacted(_ line: String, knowing exchanges: [RecordedExchange] = []) -> String {
    guard !isOff else { return line }
    for exchange in exchanges { _ = visitor.visit(exchange, at: 0) }
    visitor.secrets.number()
    visitor.secrets.prepare()
    return visitor.redacted(line: line)
  }
}
