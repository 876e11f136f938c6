import TrackingModel

/// The request that carries events: an object for one, an array for several.
struct EventPost {
  private let untilLength: String
  private let untilSequence: String

  init(over route: DeliveryRoute, launch: String) {
    untilLength =
      "POST \(route.target) HTTP/1.1\r\nHost: \(route.host)\r\nContent-Type: application/json\r\nContent-Length: "
    let session = route.session.map { "\r\n\(WireField.session): \($0)" } ?? ""
    untilSequence = "\(session)\r\n\(WireField.launch): \(launch)\r\n\(WireField.sequence): "
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
    bytes.reserveCapacity(untilLength.utf8.count + untilSequence.utf8.count + 48 + body.bytes.count)
    bytes += untilLength.utf8
    bytes += body.bytes.count.description.utf8
    bytes += untilSequence.utf8
    bytes += first.number.description.utf8
    bytes += "\r\n\r\n".utf8
    bytes += body.bytes
    return bytes
  }
}
