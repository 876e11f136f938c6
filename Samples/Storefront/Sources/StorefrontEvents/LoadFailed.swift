import TrackingModel

/// A screen could not get from the backend what it needs.
public struct LoadFailed: TrackingSchema, Hashable {
  /// `"load_failed"`.
  public static let eventName = "load_failed"

  /// Why not.
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

  /// A failure of a screen.
  public init(screen: String, reason: Reason) {
    self.screen = screen
    self.reason = reason
  }
}
