/// Reads the answer to one request from bytes as they arrive.
struct AnswerReader {
  private let headLimit: Int
  private let bodyLimit: Int
  private var bytes: [UInt8] = []
  /// The start of the current head, after interim answers.
  private var start = 0
  /// The place up to which the end of the head was searched.
  private var searched = 0
  private var head: AnswerHead?

  /// Limits in bytes: a longer head is an error, a longer body is not read.
  init(headLimit: Int = 65_536, bodyLimit: Int = 65_536) {
    self.headLimit = headLimit
    self.bodyLimit = bodyLimit
  }

  mutating func append(_ new: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: new)
  }

  /// The answer, if it is complete.
  mutating func next() throws(AnswerError) -> Answer? {
    while head == nil {
      guard let end = try endOfHead() else { return nil }
      let read = try AnswerHead(bytes[start..<end])
      start = end
      // RFC 9110 15.2: interim answers may arrive unasked and aren't the answer. 101 would end HTTP on this connection.
      guard read.status != 101 else { throw .malformed("101 was not asked for") }
      if read.status >= 200 { head = read }
    }
    return head.flatMap(answer)
  }

  private mutating func endOfHead() throws(AnswerError) -> Int? {
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

  private func answer(_ head: AnswerHead) -> Answer? {
    let arrived = bytes.count - start
    // RFC 9112 6.3: these have no body, whatever their fields say.
    let length = head.status == 204 || head.status == 304 ? 0 : head.bodyLength
    guard let length, length <= bodyLimit else {
      // The head says what happened to the events, so the body isn't worth waiting for.
      return Answer(status: head.status, phrase: head.phrase, session: head.session, keepsConnection: false)
    }
    guard arrived >= length else { return nil }
    return Answer(
      status: head.status, phrase: head.phrase, session: head.session, body: Array(bytes[start..<start + length]),
      // Bytes after the answer don't belong to any of our requests.
      keepsConnection: head.keepsConnection && arrived == length)
  }
}

/// A server's answer to a POST.
struct Answer: Hashable {
  var status: Int
  /// The words after the status, for people.
  var phrase: String
  /// The value of `Tracking-Session`.
  var session: String?
  /// The body; empty if its length is unknown or too large to be worth showing.
  var body: [UInt8] = []
  /// Whether the connection can carry another request.
  var keepsConnection: Bool

  /// The status with its phrase: `400 Bad Request`.
  var statusText: String {
    phrase.isEmpty ? "\(status)" : "\(status) \(phrase)"
  }
}
