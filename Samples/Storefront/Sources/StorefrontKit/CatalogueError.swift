import StorefrontEvents

/// The reason why a request to a catalogue failed.
public enum CatalogueError: Error, Hashable, CustomStringConvertible {
  /// The shop has no product of that number.
  case noProduct(id: Int)
  /// The backend responded with this status, which isn't a success.
  case trouble(status: Int)
  /// The backend could not be reached, or the connection broke off.
  case offline
  /// The backend took too long.
  case slow
  /// The app can't read the backend's response.
  case unreadable

  /// The problem, in words for the user.
  public var description: String {
    switch self {
    case .noProduct(let id): "There is no product \(id)."
    case .trouble(let status): "The shop has a problem (\(status))."
    case .offline: "The shop cannot be reached."
    case .slow: "The shop takes too long to respond."
    case .unreadable: "The shop's response cannot be read."
    }
  }

  /// Whether the same may succeed a little later.
  public var isWorthARetry: Bool { reason != nil }

  /// The reason as it is tracked; `nil` where nothing has failed.
  var reason: LoadFailed.Reason? {
    switch self {
    case .noProduct: nil
    case .trouble: .server
    case .offline: .offline
    case .slow: .slow
    case .unreadable: .unreadable
    }
  }
}
