import TrackingModel

/// The request that carries events: an object for one, an array for several.
struct EventPost {
  private let untilLength: [UInt8]
  private let untilSequence: [UInt8]

  init(over route: DeliveryRoute, launch: String) {
    let start = "POST \(route.target) HTTP/1.1\r\nHost: \(route.host)\r\nContent-Type: application/json\r\n"
    untilLength = Array("\(start)Content-Length: ".utf8)
    let session = route.session.map { "\r\n\(WireField.session): \($0)" } ?? ""
    untilSequence = Array("\(session)\r\n\(WireField.launch): \(launch)\r\n\(WireField.sequence): ".utf8)
  }

  /// The bytes of the request for a batch, which has at least one event and consecutive numbers.
  func bytes(for batch: ArraySlice<QueuedEvent>) -> [UInt8] {
    guard let first = batch.first else { return [] }
    var body = JSONWriter()
    if batch.count == 1 {
      body.write(first.event)
    } else {
      body.write(batch.lazy.map(\.event))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(untilLength.count + untilSequence.count + 48 + body.bytes.count)
    bytes += untilLength
    bytes += body.bytes.count.description.utf8
    bytes += untilSequence
    bytes += first.number.description.utf8
    bytes += "\r\n\r\n".utf8
    bytes += body.bytes
    return bytes
  }
}
