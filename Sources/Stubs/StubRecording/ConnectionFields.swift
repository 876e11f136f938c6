import Foundation
import StubModel

/// Fields that concern one connection or its framing, and are not sent on.
enum ConnectionFields {
  private static let always: Set<String> = [
    "connection", "content-encoding", "content-length", "expect", "host", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "accept-encoding",
  ]

  /// Their names in lower case: the usual ones, and those that `Connection` names (RFC 9110 7.6.1).
  static func of(_ headers: MessageHeaders) -> Set<String> {
    let named = (headers["Connection"] ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    return always.union(named)
  }
}
