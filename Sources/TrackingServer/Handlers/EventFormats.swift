import StubModel
import TrackingModel

/// Reads requests as events in formats other than the server's own.
final class EventFormats: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    Self.mayRead(exchange) ? .wanted : .pass
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    // Requests of a double are in the server's format; a browser's preflight request has no events.
    guard exchange.setup.hasDecodings, !exchange.head.has(.trackingLaunch), exchange.head.method != .options else {
      return .pass
    }
    let request = exchange.request()
    let decodings = exchange.context.stubs.decodings(for: request)
    guard !decodings.isEmpty else { return .pass }
    if let refusal = exchange.bodyRefusal { return .reply(exchange.refuse(refusal, asEvents: true)) }
    return .work {
      for decoding in decodings {
        do {
          guard let events = try decoding.events(in: request) else { continue }
          let areBeacons = decoding is BeaconDecoding
          return { exchange in Self.record(events, areBeacons: areBeacons, &exchange) }
        } catch {
          let reason = "\(type(of: decoding)) cannot read the request: \(error)"
          return { exchange in
            .reply(exchange.refuse(exchange.refusalOfSession ?? .badRequest(reason), asEvents: true))
          }
        }
      }
      return { _ in .pass }
    }
  }

  /// Whether a request may turn out to be events, as far as its head tells.
  static func mayRead(_ exchange: borrowing Exchange) -> Bool {
    exchange.setup.hasDecodings && exchange.context.stubs.hasDecodings(forHead: exchange.requestHead())
  }

  private static func record(_ events: [TrackingEvent], areBeacons: Bool, _ exchange: inout Exchange) -> Outcome {
    if let refusal = exchange.refusalOfSession { return .reply(exchange.refuse(refusal, asEvents: true)) }
    return exchange.accept(events, from: Journal.Sender(connection: exchange.connection, isBeacon: areBeacons), as: .ok)
  }
}
