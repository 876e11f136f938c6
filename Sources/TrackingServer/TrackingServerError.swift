import Foundation
import TrackingSockets

/// The reason that a server couldn't start.
public struct TrackingServerError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The configured port is in use; `address` is the one that couldn't be bound, for example `[::1]:8080`.
    case portTaken(port: UInt16, address: String, errno: Int32)
    /// The port that the server used before it was stopped is now in use by another process.
    case portLost(port: UInt16, address: String, errno: Int32)
    /// The configured session token can't be sent in a header field.
    case invalidSession(String)
    /// The configured path for events isn't valid.
    case invalidEventPath(String)
    /// A system call failed, for example `socket` because the process is out of descriptors.
    case systemCall(String, address: String?, errno: Int32)
  }

  package let reason: Reason

  package init(_ reason: Reason) {
    self.reason = reason
  }
}

extension TrackingServerError: CustomStringConvertible, LocalizedError {
  /// The problem and the remedy, in one sentence.
  public var description: String {
    switch reason {
    case .portTaken(let port, let address, let errno):
      "port \(port) is already in use (bind on \(address), errno \(errno)); use port 0 to let the system choose"
    case .portLost(let port, let address, let errno):
      """
      port \(port), which this server had before it was stopped, is now in use by another process (bind on \(address), \
      errno \(errno)); start a new server
      """
    case .invalidSession(let session):
      "the session \"\(session)\" can't be sent in a header field; use letters, digits, \"-\", \".\" and \"_\""
    case .invalidEventPath(let path):
      """
      events can't be posted to "\(path)"; use a path that begins with a slash, with letters, digits, "-", ".", "_" \
      and "/", for example "/events"
      """
    case .systemCall(let call, let address, let errno):
      SocketError.call(call, errno: errno, address: address).description
        + (errno == EPERM && ["bind", "listen"].contains(call) ? "; \(Self.sandboxAdvice)" : "")
    }
  }

  private static let sandboxAdvice = """
    a sandbox keeps this process from listening. Xcode's runner of macOS UI tests is in the App Sandbox: set \
    ENABLE_INCOMING_NETWORK_CONNECTIONS = YES for the UI-test target, or give it an entitlements file with \
    com.apple.security.app-sandbox, com.apple.security.network.client and com.apple.security.network.server
    """

  /// The problem and the remedy, in one sentence.
  public var errorDescription: String? { description }

  init(_ error: SocketError, port: UInt16, isRestart: Bool) {
    switch error {
    case .call(let call, let number, let address):
      if number == EADDRINUSE, port != 0, let address {
        reason =
          isRestart
          ? .portLost(port: port, address: address, errno: number)
          : .portTaken(port: port, address: address, errno: number)
      } else {
        reason = .systemCall(call, address: address, errno: number)
      }
    }
  }
}
