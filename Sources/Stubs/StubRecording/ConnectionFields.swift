import Foundation
import StubModel

/// Fields that concern one connection or its framing, and aren't forwarded.
enum ConnectionFields {
  private static let always: Set<String> = [
    "connection", "content-encoding", "content-length", "expect", "host", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "accept-encoding",
  ]

  /// In lower case: the usual names, and those listed in `Connection` (RFC 9110 7.6.1).
  static func of(_ headers: MessageHeaders) -> Set<String> {
    let named = (headers["Connection"] ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    return always.union(named)
  }
}
