/// Reads the answer to one request from bytes as they arrive.
struct AnswerReader {
  private let headLimit: Int
  private let bodyLimit: Int
  private var bytes: [UInt8] = []
  /// Where the head begins that is being read: after the interim answers.
  private var start = 0
  /// How far the end of the head was looked for.
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

  /// The answer, once it is there; `nil` while more must come.
  mutating func next() throws(AnswerError) -> Answer? {
    while head == nil {
      guard let end = try endOfHead() else { return nil }
      let read = try AnswerHead(bytes[start..<end])
      start = end
      // RFC 9110 15.2: interim answers may come unasked and are not the answer. 101 would end HTTP on this connection.
      guard read.status != 101 else { throw .malformed("101 was not asked for") }
      if read.status >= 200 { head = read }
    }
    return head.flatMap(answer)
  }

  private mutating func endOfHead() throws(AnswerError) -> Int? {
    // Whoever speaks something else may never send the end of a head.
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
      // Its end is not worth waiting for: the head says what became of the events.
      return Answer(status: head.status, phrase: head.phrase, session: head.session, keepsConnection: false)
    }
    guard arrived >= length else { return nil }
    return Answer(
      status: head.status, phrase: head.phrase, session: head.session, body: Array(bytes[start..<start + length]),
      // Bytes beyond the answer belong to no request of ours.
      keepsConnection: head.keepsConnection && arrived == length)
  }
}
