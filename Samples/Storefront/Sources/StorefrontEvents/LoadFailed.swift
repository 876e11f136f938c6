import TrackingModel

/// A screen could not be filled.
public struct LoadFailed: TrackingSchema, Hashable {
  /// `"load_failed"`.
  public static let eventName = "load_failed"

  /// Why the screen stayed empty.
  public enum Reason: String, Codable, Sendable {
    /// The backend answered that something is wrong with it.
    case server
    /// The backend could not be reached, or the connection broke off.
    case offline
    /// The backend took too long.
    case slow
    /// The backend's answer could not be read.
    case unreadable
  }

  /// Which screen.
  public var screen: String
  /// Why.
  public var reason: Reason

  /// A screen that could not be filled.
  public init(screen: String, reason: Reason) {
    self.screen = screen
    self.reason = reason
  }
}
