import Foundation
import StubModel
import TrackingSecrets

/// The rules that tell the secrets of a recording from values that are kept.
///
/// A value is secret by its position: the credentials in `Authorization` and `Proxy-Authorization`, each value in `Cookie` and `Set-Cookie`, and
/// the header fields, query items, form fields and JSON members with names like `X-Api-Key`, `access_token`, `clientSecret` or `password`. JSON Web
/// Tokens and PEM blocks are secret wherever they are. A secret value of at least eight characters is also replaced in every other place, as it is,
/// percent-encoded, or in base64.
///
/// ```swift
/// SecretRedaction().redacting("customerNumber").keeping("page_token")
/// ```
///
/// Equal values have equal placeholders, such as `[redacted token 1]`, so the token of a login and that of the next request still agree.
public struct SecretRedaction: Hashable, Sendable {
  var names = SecretNames()
  var values: [String] = []
  private(set) var isOff = false

  /// Redaction of the values under usual names of secrets.
  package init() {}

  /// Redaction of the values under usual names of secrets: `.standard.redacting("customerNumber")`.
  public static let standard = SecretRedaction()

  /// No redaction: a recording holds every password and token as it was sent.
  public static let off = changed(SecretRedaction()) { $0.isOff = true }

  /// The same, with more secret names of header fields, cookies, query items, form fields and JSON members.
  ///
  /// Case, hyphens and underscores don't matter: `customer_number` is also `customerNumber`.
  public func redacting(_ names: String...) -> SecretRedaction {
    changed(self) { $0.names.redact(names) }
  }

  /// The same, with values that are replaced wherever they are, for example the password of the account that records.
  ///
  /// A recording with a value of fewer than eight characters is refused, since such a value is also a part of other texts.
  public func redacting(values: [String]) -> SecretRedaction {
    changed(self) { $0.values += values }
  }

  /// The same, without some names: the values under them are kept, also in other places.
  ///
  /// For values that aren't secret, such as a `page_token`, and for tokens that the app has to decode.
  public func keeping(_ names: String...) -> SecretRedaction {
    changed(self) { $0.names.keep(names) }
  }

  /// - Throws: `RecordingError` for a value that is too short to be looked for.
  func check() throws {
    guard let count = values.map(\.unicodeScalars.count).first(where: { $0 < SecretTable.shortest }) else { return }
    throw RecordingError(
      """
      redacting(values:) has a value of \(count.counted("character")), but values of fewer than \(SecretTable.shortest) \
      aren't looked for, because they are also parts of other texts: name what it stands under instead, with \
      redacting("…").
      """)
  }

  /// Replaces the secrets in exchanges.
  ///
  /// Placeholders are numbered by the places where their secrets are, so the order in which parallel requests arrive doesn't matter.
  /// Exchanges that were redacted before keep their placeholders, and new ones get other numbers.
  func redacted(_ exchanges: [RecordedExchange]) -> RedactedExchanges {
    guard !isOff else {
      return RedactedExchanges(exchanges: exchanges, positions: [], leaks: [], secrets: SecretTable())
    }
    var visitor = SecretVisitor(names: names, secrets: SecretTable(values: values))
    for (index, exchange) in exchanges.enumerated() { _ = visitor.visit(exchange, at: index) }
    visitor.replace()
    if visitor.secrets.hasSeveralOfAKind {
      var draft = visitor
      let drafted = exchanges.enumerated().map { draft.visit($1, at: $0) }
      visitor.secrets.number(inOrder: PlaceholderOrder(drafted, draft.positions).placeholders)
    } else {
      visitor.secrets.number(inOrder: [])
    }
    let replaced = exchanges.enumerated().map { visitor.visit($1, at: $0) }
    var check = LeakCheck(visitor.secrets)
    let checked = replaced.enumerated().map { check.checked($1, at: $0) }
    return RedactedExchanges(
      exchanges: checked, positions: visitor.positions, leaks: check.leaks, secrets: visitor.secrets)
  }
}

/// Exchanges without their secrets.
struct RedactedExchanges {
  /// The exchanges with placeholders.
  let exchanges: [RecordedExchange]
  /// The places of replaced values, in the order of the exchanges.
  let positions: [RedactedPosition]
  /// The values that still had a secret after the replacement, and were left out.
  let leaks: [SecretLeak]
  let secrets: SecretTable

  /// The number of places by the names that are there: `access_token (2), sid (7)`; `nil` if nothing was replaced.
  var summary: String? {
    let counts = Dictionary(grouping: positions, by: \.name).mapValues(\.count)
    return counts.isEmpty ? nil : counts.sorted { $0.key < $1.key }.map { "\($0) (\($1))" }.joined(separator: ", ")
  }
}
