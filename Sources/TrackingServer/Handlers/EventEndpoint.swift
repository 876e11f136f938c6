import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// Records events that are posted in the server's own format.
final class EventEndpoint: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    guard exchange.isSubmission else { return .pass }
    return exchange.refusalOfSubmission.map { .refuse($0) } ?? .wanted
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    guard exchange.isSubmission else { return .pass }
    if let refusal = exchange.refusalOfSubmission {
      // A format that listens here knows better why it can't be read.
      return exchange.formatRefusal == nil ? .reply(exchange.refuse(refusal)) : .pass
    }
    let intake = exchange.context.intake
    let events: [TrackingEvent]
    switch exchange.withBody({ intake.read($0) }) {
    case .success(let read): events = read
    case .failure(let error): return .reply(exchange.refuse(.badRequest(error.reason), at: error))
    }
    let sender = Journal.Sender(
      connection: exchange.connection, launch: exchange.launchName(),
      sequence: exchange.head.number(in: .trackingSequence),
      isOfSession: exchange.head.has(.trackingSession))
    guard sender.sequence.map({ $0 <= .max - UInt64(events.count) }) ?? true else {
      return .reply(exchange.refuse(.badRequest("the number in Tracking-Sequence is too large")))
    }
    return exchange.accept(events, from: sender, as: .noContent)
  }
}

extension Exchange {
  /// The refusal of a submission because of its head.
  var refusalOfSubmission: Refusal? {
    if let refusal = refusalOfSession ?? refusalOfCoding { return refusal }
    if head.has(.contentType), !head.field(.contentType, isMediaType: "application/json") {
      return Refusal(
        status: 415,
        reason: """
          events are sent as Content-Type: application/json, not as \(Self.quoted(head.value(of: .contentType))); \
          accept(_:) takes other formats
          """)
    }
    if head.framing == .none {
      return Refusal(status: 411, reason: "the request has neither Content-Length nor a chunked body")
    }
    if head.has(.trackingLaunch) != head.has(.trackingSequence) {
      return .badRequest("Tracking-Launch and Tracking-Sequence belong together")
    }
    if head.withValue(of: .trackingLaunch, { $0.count > Self.longestLaunch }) == true {
      return .badRequest("Tracking-Launch is longer than \(Self.longestLaunch) bytes")
    }
    if head.has(.trackingSequence), (head.number(in: .trackingSequence) ?? 0) == 0 {
      return .badRequest(
        "Tracking-Sequence is not a number from 1: \"\(Self.quoted(head.value(of: .trackingSequence)))\"")
    }
    return nil
  }
}

extension EventIntake {
  fileprivate func read(_ body: UnsafeRawBufferPointer) -> Result<[TrackingEvent], JSONError> {
    do throws(JSONError) {
      return .success(try events(in: body.bindMemory(to: UInt8.self)))
    } catch {
      return .failure(error)
    }
  }
}
