/// Reads the response to one request from bytes as they arrive.
package struct ResponseReader {
  private let headLimit: Int
  private let bodyLimit: Int
  private var bytes: [UInt8] = []
  /// The start of the current head, after interim responses.
  private var start = 0
  /// The search for the head's end continues here.
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

  /// Returns the head once it is complete, skipping interim responses.
  package mutating func readHead() throws(ResponseError) -> ResponseHead? {
    while head == nil {
      guard let end = try endOfHead() else { return nil }
      let read = try ResponseHead(bytes[start..<end])
      start = end
      // RFC 9110 15.2: interim responses may arrive unexpectedly and aren't the response. 101 would end HTTP on this connection.
      guard read.status != 101 else { throw .malformed("101 without a request to upgrade") }
      if read.status >= 200 { head = read }
    }
    return head
  }

  /// Takes the received bytes after the head, for a reader of whole bodies.
  package mutating func takeRest() -> [UInt8] {
    defer { bytes.removeSubrange(start...) }
    return Array(bytes[start...])
  }

  /// Returns the response once it is complete; reads the body only if the head has its length and it is within the limit.
  package mutating func response() throws(ResponseError) -> ReceivedResponse? {
    guard let head = try readHead() else { return nil }
    var response = ReceivedResponse(
      status: head.status, phrase: head.phrase, session: head.session, keepsConnection: false)
    // RFC 9112 6.3: these have no body, whatever their fields say.
    let framing = head.status == 204 || head.status == 304 ? .length(0) : head.framing
    // The head says what happened to the request, so other bodies aren't worth waiting for.
    guard case .length(let length) = framing, length <= bodyLimit else { return response }
    let arrived = bytes.count - start
    guard arrived >= length else { return nil }
    response.body = Array(bytes[start..<start + length])
    // Bytes after the response belong to none of our requests.
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
package struct ReceivedResponse: Equatable {
  package var status: Int
  package var phrase: String
  package var session: String?
  /// Empty if the length is unknown or over the limit.
  package var body: [UInt8] = []
  var keepsConnection: Bool

  /// `400 Bad Request`.
  package var statusText: String {
    phrase.isEmpty ? "\(status)" : "\(status) \(phrase)"
  }
}
