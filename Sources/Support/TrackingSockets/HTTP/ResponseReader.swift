/// Reads the response to one request from bytes as they arrive.
package struct ResponseReader {
  private let headLimit: Int
  private let bodyLimit: Int
  private var bytes: [UInt8] = []
  /// The start of the current head, after interim responses.
  private var start = 0
  /// The place up to which the end of the head was searched.
  private var searched = 0
  private var head: ResponseHead?

  /// Limits in bytes: a longer head is an error, and `response` doesn't read a longer body.
  package init(headLimit: Int = 65_536, bodyLimit: Int = 65_536) {
    self.headLimit = headLimit
    self.bodyLimit = bodyLimit
  }

  package mutating func append(_ new: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: new)
  }

  /// The head of the response, if it is complete; interim responses are skipped.
  package mutating func readHead() throws(ResponseError) -> ResponseHead? {
    while head == nil {
      guard let end = try endOfHead() else { return nil }
      let read = try ResponseHead(bytes[start..<end])
      start = end
      // RFC 9110 15.2: interim responses may arrive unasked and aren't the response. 101 would end HTTP on this connection.
      guard read.status != 101 else { throw .malformed("101 without a request to upgrade") }
      if read.status >= 200 { head = read }
    }
    return head
  }

  /// Takes the received bytes behind the head, for a reader of whole bodies.
  package mutating func takeRest() -> [UInt8] {
    defer { bytes.removeSubrange(start...) }
    return Array(bytes[start...])
  }

  /// The response, if it is complete: its body is read only if the head has its length and it is within the limit.
  package mutating func response() throws(ResponseError) -> ReceivedResponse? {
    guard let head = try readHead() else { return nil }
    var response = ReceivedResponse(
      status: head.status, phrase: head.phrase, session: head.session, keepsConnection: false)
    // RFC 9112 6.3: these have no body, whatever their fields say.
    let framing = head.status == 204 || head.status == 304 ? .length(0) : head.framing
    // The head says what happened to the request, so another body isn't worth waiting for.
    guard case .length(let length) = framing, length <= bodyLimit else { return response }
    let arrived = bytes.count - start
    guard arrived >= length else { return nil }
    response.body = Array(bytes[start..<start + length])
    // Bytes after the response don't belong to any of our requests.
    response.keepsConnection = head.keepsConnection && arrived == length
    return response
  }

  private mutating func endOfHead() throws(ResponseError) -> Int? {
    // Another protocol may never send the end of a head.
    guard bytes[start...].prefix(7).elementsEqual("HTTP/1.".utf8.prefix(bytes.count - start)) else { throw .notHTTP }
    var index = max(start, searched - 3)
    while index + 3 < bytes.count {
      if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10 {
        searched = index + 4
        guard searched <= headLimit else { throw .tooLong(limit: headLimit) }
        return searched
      }
      index += 1
    }
    searched = bytes.count
    guard searched <= headLimit else { throw .tooLong(limit: headLimit) }
    return nil
  }
}

/// A server's response, without a body that isn't worth waiting for.
package struct ReceivedResponse: Hashable {
  package var status: Int
  /// The words after the status, for people.
  package var phrase: String
  /// The value of `Tracking-Session`.
  package var session: String?
  /// The body; empty if its length is unknown or too large to be worth showing.
  package var body: [UInt8] = []
  /// Whether the connection can carry another request.
  var keepsConnection: Bool

  /// The status with its phrase: `400 Bad Request`.
  package var statusText: String {
    phrase.isEmpty ? "\(status)" : "\(status) \(phrase)"
  }
}
