import Foundation
import StubModel
import TrackingModel

// Requests that are events in another format than the server's own.

extension Router {
  /// Whether a request may turn out to be events, as far as its head says.
  func hasDecodings(for head: borrowing RequestHead) -> Bool {
    stubs.hasDecodings && stubs.hasDecodings(forHead: head.stubRequest())
  }

  /// What has to be done to know whether a request is events; `nil` when no decoding fits it.
  func decodingWork(
    for head: borrowing RequestHead, body: UnsafeRawBufferPointer
  ) -> (@Sendable () -> Conclusion)? {
    // A double says itself what it sends; a browser's question says nothing.
    guard !head.has(.trackingLaunch), head.method != .options, stubs.hasDecodings else { return nil }
    let request = head.stubRequest(body: body, jsonDepth: configuration.limits.jsonDepth)
    let decodings = stubs.decodings(for: request)
    guard !decodings.isEmpty else { return nil }
    return {
      for decoding in decodings {
        do {
          if let events = try decoding.events(in: request) { return .events(events) }
        } catch {
          return .malformed("\(type(of: decoding)) cannot read the request: \(error)")
        }
      }
      return .noEvents
    }
  }

  /// Records what a decoding has read, and acknowledges it.
  func answerDecoded(
    _ events: [TrackingEvent], _ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int
  ) -> Answer {
    if let refusal = refusalOfSession(head) {
      return refuse(head, with: refusal, body: body, exchange: exchange, asEvents: true)
    }
    var usual = Response(status: 200)
    usual.content = []
    return answer(
      events, from: Journal.Sender(connection: connection), as: usual, head, body: body, exchange: exchange)
  }
}
