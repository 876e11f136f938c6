/// An answer, before it is bytes.
struct Response {
  var status: Int
  /// Whole field lines, each with its CRLF.
  var fields = ""
  /// The content; `nil` for an answer that has none by its status.
  var content: [UInt8]?
  /// Whether the connection ends behind this answer.
  var closes = false
  /// Whether `fields` say when the answer was made.
  var isDated = false

  /// 204: done, and nothing to say about it.
  static let done = Response(status: 204)
}

/// What an answer needs to know of the request that it answers.
struct ResponseContext {
  var isHead = false
  var isHTTP10 = false
  var keepsAlive = true
}

extension Response {
  /// Appends the answer as it goes over the wire.
  func write(to output: inout [UInt8], date: DateField, context: ResponseContext) {
    writeHead(to: &output, date: date, context: context)
    // RFC 9110 9.3.2: the answer to HEAD ends with its head.
    if let content, !context.isHead { output.append(contentsOf: content) }
  }

  /// Appends the answer up to its content.
  func writeHead(to output: inout [UInt8], date: DateField, context: ResponseContext) {
    StatusLine.write(status, to: &output)
    // RFC 9110 6.6.1: an origin server with a clock dates its answers, once.
    if !isDated { output.append(contentsOf: date.line) }
    if !fields.isEmpty { output.append(contentsOf: fields.utf8) }
    if closes || !context.keepsAlive {
      // RFC 9112 9.6: says so before it closes.
      output.append(contentsOf: "Connection: close\r\n".utf8)
    } else if context.isHTTP10 {
      // RFC 9112 9.3: an HTTP/1.0 client that asked for it learns that it got it.
      output.append(contentsOf: "Connection: keep-alive\r\n".utf8)
    }
    // RFC 9110 8.6: no Content-Length in a 1xx or 204.
    if let content {
      output.append(contentsOf: "Content-Length: \(content.count)\r\n".utf8)
    }
    output.append(ASCII.carriageReturn)
    output.append(ASCII.lineFeed)
  }

  /// The interim answer that lets a client go on with its body (RFC 9110 15.2.1).
  static let goOn: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"
}
