import Foundation
import StubModel
import TrackingServer
import TrackingSockets

/// A backend's response with its whole body, read from a connection as it arrives (RFC 9112 6).
struct BackendResponse {
  private let isHead: Bool
  private let limits: RequestLimits
  private var head: ResponseHead?
  private var body: [UInt8] = []
  private var chunks: ChunkedBody

  init(isHead: Bool, mostBytes: Int) {
    self.isHead = isHead
    limits = RequestLimits(head: 65_536, fieldCount: 100, body: mostBytes)
    chunks = ChunkedBody(start: 0, limits: limits)
  }

  /// Returns the response without its content coding once it is complete.
  mutating func read(_ reader: inout ResponseReader, isAtEnd: Bool) throws(UpstreamFailure) -> UpstreamResponse? {
    if try begin(&reader), let head {
      body += reader.takeRest()
      if try endsBody(of: head, isAtEnd: isAtEnd) { return try response(after: head) }
    }
    guard !isAtEnd else { throw .brokenOff }
    return nil
  }

  private mutating func begin(_ reader: inout ResponseReader) throws(UpstreamFailure) -> Bool {
    guard head == nil else { return true }
    do throws(ResponseError) {
      head = try reader.readHead()
    } catch {
      throw .init(reason: "\(error)", isOutage: true)
    }
    guard let head else { return false }
    if Self.fields(of: head)["Content-Type"]?.lowercased().hasPrefix("text/event-stream") == true {
      throw .init(reason: "server-sent events can't be recorded", isOutage: false)
    }
    return true
  }

  private mutating func endsBody(of head: ResponseHead, isAtEnd: Bool) throws(UpstreamFailure) -> Bool {
    let framing = isHead || head.status == 204 || head.status == 304 ? .length(0) : head.framing
    switch framing {
    case .length(let length):
      try check(length)
      guard body.count >= length else { return false }
      body.removeLast(body.count - length)
      return true
    case .chunked:
      return try endsChunks()
    case .untilEnd:
      try check(body.count)
      return isAtEnd
    case .unknown:
      throw .init(reason: "its transfer coding isn't supported; only chunked is", isOutage: false)
    }
  }

  private mutating func endsChunks() throws(UpstreamFailure) -> Bool {
    do throws(HTTPError) {
      let isWhole = try body.withUnsafeMutableBufferPointer { bytes throws(HTTPError) in
        try chunks.decode(bytes, limits: limits)
      }
      if isWhole { body.removeLast(body.count - chunks.end) }
      return isWhole
    } catch {
      throw error == limits.bodyTooLarge
        ? .tooLarge(limits.body) : .init(reason: "\(ResponseError.malformed(error.reason))", isOutage: true)
    }
  }

  private func check(_ size: Int) throws(UpstreamFailure) {
    if size > limits.body { throw .tooLarge(limits.body) }
  }

  private func response(after head: ResponseHead) throws(UpstreamFailure) -> UpstreamResponse {
    let headers = Self.fields(of: head)
    var body = body
    if !body.isEmpty, let refusal = UpstreamFailure.unreadable(headers["Content-Encoding"]) { throw refusal }
    if let coding = headers["Content-Encoding"].flatMap({ ContentCoding(named: $0) }), !body.isEmpty {
      guard let decoded = try? body.withUnsafeBufferPointer({ try coding.decoded($0, limit: limits.body) }) else {
        throw .init(reason: "its compressed body can't be decoded", isOutage: false)
      }
      body = decoded
    }
    return UpstreamResponse(status: head.status, headers: headers, body: Data(body))
  }

  private static func fields(of head: ResponseHead) -> MessageHeaders {
    MessageHeaders(
      lines: head.fields.map { name, value in
        // RFC 9110 5.5: historically, field values were in Latin-1.
        let text =
          String(bytes: value, encoding: .utf8)
          ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
        return .init(name: String(decoding: name, as: UTF8.self), value: text)
      })
  }
}
