/// A quantity that is measured, and the contestant that it is measured for.
public struct Subject: Hashable, Sendable {
  /// The role of a contestant in a comparison.
  public enum Role: String, Sendable {
    /// The least that the machine allows; reports compare the other contestants with it.
    case floor
    case ours
    case peer
  }

  /// The measured quantity; contestants that have it in common are compared.
  public let what: String
  /// The name of the contestant.
  public let contestant: String
  /// The contestant's role in the comparison.
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
