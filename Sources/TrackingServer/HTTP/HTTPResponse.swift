import Foundation
import TrackingModel

/// A response, before it is written as bytes.
package struct HTTPResponse: Sendable {
  package var status: Int
  /// The reason phrase; `nil` for the status's usual one.
  var reason: String?
  /// Complete field lines, each with its CRLF.
  package var fields = ""
  /// The content; `nil` for a status without content.
  package var content: ResponseContent?
  /// Whether the content follows in pieces of unknown total length.
  var isStream = false
  /// Whether the connection ends after this response.
  package var closes = false
  var isDated = false

  package init(status: Int, type: String, content: [UInt8]) {
    self.init(status: status, fields: "Content-Type: \(type)\r\n", content: content[...])
  }

  init(status: Int, fields: String = "", content: ArraySlice<UInt8>? = nil) {
    self.status = status
    self.fields = fields
    self.content = content.map { .bytes($0) }
  }

  package mutating func addField(_ name: StaticString, _ value: String) {
    fields += "\(name): \(value)\r\n"
  }

  static var done: HTTPResponse { HTTPResponse(status: 204) }

  static func json(_ status: Int, _ members: [String: TrackingValue], fields: String = "") -> HTTPResponse {
    var writer = JSONWriter()
    writer.write(TrackingValue.object(members))
    return HTTPResponse(
      status: status, fields: "Content-Type: application/json\r\n" + fields,
      content: (writer.bytes + [UInt8(ascii: "\n")])[...])
  }

  /// Whether the content is sent in chunks, which HTTP/1.0 doesn't support.
  func isChunked(_ context: Context) -> Bool { isStream && !context.isHTTP10 }

  /// Whether the connection ends after this response.
  func isLast(_ context: Context) -> Bool {
    // RFC 9112 6.3: a body without a length ends with the connection.
    closes || !context.keepsAlive || isStream && context.isHTTP10
  }
}

extension HTTPResponse {
  /// The part of a request that its response depends on.
  struct Context {
    var isHead = false
    var isHTTP10 = false
    var keepsAlive = true
  }

  /// Appends the response up to its content.
  func writeHead(to output: inout [UInt8], date: DateField, context: Context) {
    StatusLine.write(status, reason, to: &output)
    // RFC 9110 6.6.1: an origin server with a clock dates its responses, once.
    if !isDated { output.append(contentsOf: date.line) }
    if !fields.isEmpty { output.append(contentsOf: fields.utf8) }
    if isLast(context) {
      // RFC 9112 9.6: announces the close.
      output.append(contentsOf: "Connection: close\r\n".utf8)
    } else if context.isHTTP10 {
      // RFC 9112 9.3: confirms an HTTP/1.0 client's keep-alive.
      output.append(contentsOf: "Connection: keep-alive\r\n".utf8)
    }
    // RFC 9110 8.6: no Content-Length in a 1xx or 204.
    if let content {
      output.append(contentsOf: "Content-Length: \(content.count)\r\n".utf8)
    } else if isChunked(context) {
      output.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
    }
    output.append(ASCII.carriageReturn)
    output.append(ASCII.lineFeed)
  }

  /// The interim response that requests the client's body (RFC 9110 15.2.1).
  static let continueLine: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"
}

enum StatusLine {
  static func write(_ status: Int, _ reason: String?, to output: inout [UInt8]) {
    if status == 204, reason == nil {
      noContent.withUTF8Buffer { output.append(contentsOf: $0) }
    } else {
      output.append(contentsOf: "HTTP/1.1 \(status) \(reason ?? phrase(for: status))\r\n".utf8)
    }
  }

  /// A constant for the most frequent status line.
  private static let noContent: StaticString = "HTTP/1.1 204 No Content\r\n"

  /// The reason phrase of RFC 9110 15; RFC 9112 4 lets it be empty.
  static func phrase(for status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: ""
    }
  }
}

/// The Date field, updated once a second.
struct DateField {
  private var second = 0
  private(set) var line: [UInt8] = []

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  mutating func update() {
    var now = time(nil)
    guard now != second else { return }
    second = now
    var parts = tm()
    guard gmtime_r(&now, &parts) != nil else { return }
    // RFC 9110 5.6.7: IMF-fixdate, always in English and in GMT.
    let text = """
      Date: \(Self.days[Int(parts.tm_wday) % 7]), \(Self.padded(parts.tm_mday)) \(Self.months[Int(parts.tm_mon) % 12]) \
      \(parts.tm_year + 1_900) \(Self.padded(parts.tm_hour)):\(Self.padded(parts.tm_min)):\(Self.padded(parts.tm_sec)) GMT\r\n
      """
    line = Array(text.utf8)
  }

  private static func padded(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
