import TestSupport

/// A request that a scripted peer has read whole.
struct PeerRequest: Sendable {
  /// Up to and with the empty line.
  var head: String
  var body: Data
  /// The number of the peer's connection that carried the request, from 1.
  var connection: Int
  /// The number of the request among all of the peer's, from 1.
  var number: Int

  func field(_ name: String) -> String? {
    head.components(separatedBy: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
      String($0.dropFirst(name.count + 2))
    }
  }

  var sequence: Int { field("Tracking-Sequence").flatMap(Int.init) ?? 0 }
  var launch: String { field("Tracking-Launch") ?? "" }
  var isArray: Bool { body.first == UInt8(ascii: "[") }

  var events: [TrackingEvent] {
    let decoder = JSONDecoder()
    if isArray { return (try? decoder.decode([TrackingEvent].self, from: body)) ?? [] }
    return (try? decoder.decode(TrackingEvent.self, from: body)).map { [$0] } ?? []
  }

  /// The events by their numbers, as a verifier counts them.
  var numbered: [(number: Int, name: String)] {
    Array(zip(sequence..., events.map(\.name))).map { ($0, $1) }
  }
}
