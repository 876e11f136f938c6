import StorefrontEvents

/// Why a catalogue did not give what it was asked for.
public enum CatalogueError: Error, Hashable, CustomStringConvertible {
  /// The shop has no product of that number.
  case noProduct(id: Int)
  /// The backend answered with this status, which is its fault or nobody's.
  case trouble(status: Int)
  /// The backend could not be reached, or the connection broke off.
  case offline
  /// The backend took too long.
  case slow
  /// The backend's answer is nothing that this app can read.
  case unreadable

  /// What is wrong, in words for the user.
  public var description: String {
    switch self {
    case .noProduct(let id): "There is no product \(id)."
    case .trouble(let status): "The shop has a problem (\(status))."
    case .offline: "The shop cannot be reached."
    case .slow: "The shop takes too long to answer."
    case .unreadable: "The shop's answer cannot be read."
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
