/// How an order is paid.
public enum PaymentMethod: String, Codable, CaseIterable, Sendable {
  case card
  case invoice
}
