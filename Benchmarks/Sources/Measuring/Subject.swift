/// What is measured, and of whom.
public struct Subject: Hashable, Sendable {
  /// What a contestant is to the others that do the same.
  public enum Role: String, Sendable {
    /// The least that the machine allows; the others stand beside it as a ratio.
    case floor
    case ours
    case peer
  }

  /// What is measured; contestants of the same stand beside each other.
  public let what: String
  /// Of whom it is measured.
  public let contestant: String
  /// What the contestant is to the others.
  public let role: Role
  /// The unit of the values.
  public let unit: String

  /// A subject; microseconds unless said otherwise.
  public init(_ what: String, _ contestant: String, _ role: Role, unit: String = "µs") {
    self.what = what
    self.contestant = contestant
    self.role = role
    self.unit = unit
  }
}
