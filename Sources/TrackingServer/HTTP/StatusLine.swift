/// The first lines of answers.
enum StatusLine {
  static func bytes(for status: Int) -> String.UTF8View {
    if status == 204 { return noContent.utf8 }
    return "HTTP/1.1 \(status) \(phrase(for: status))\r\n".utf8
  }

  private static let noContent = "HTTP/1.1 204 No Content\r\n"

  /// The reason phrase of RFC 9110 15; RFC 9112 4 lets it be empty.
  static func phrase(for status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: ""
    }
  }
}
