import Foundation

/// What of a verifier's address a variable of the app's own holds.
public enum EndpointVariable: Hashable, Sendable {
  /// The port: `50123`.
  case port
  /// The URL: `http://localhost:50123`.
  case url

  func value(of baseURL: URL) -> String {
    switch self {
    case .port: baseURL.port.map { "\($0)" } ?? ""
    case .url: baseURL.absoluteString
    }
  }
}
