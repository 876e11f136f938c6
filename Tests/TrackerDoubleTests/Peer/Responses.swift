/// Whole responses, as bytes on the wire.
enum Responses {
  static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"

  static func noContent(session: String) -> String {
    "HTTP/1.1 204 No Content\r\nTracking-Session: \(session)\r\n\r\n"
  }

  static func status(_ status: String, body: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}
