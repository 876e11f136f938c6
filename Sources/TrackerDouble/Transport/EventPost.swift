import Foundation
import TrackingModel
import TrackingSockets

/// A double's requests: its hello, and the posts of events, an object for one event and an array for several.
struct EventPost {
  /// Tells the verifier that the app was launched with its endpoint; `nil` if no verifier is known.
  let hello: [UInt8]?
  private let untilLength: [UInt8]
  private let untilSequence: [UInt8]

  init(over route: DeliveryRoute, launch: String) {
    func start(_ target: String) -> String {
      "POST \(target) HTTP/1.1\r\nHost: \(route.host)\r\nContent-Type: application/json\r\nContent-Length: "
    }
    let session = route.session.map { "\r\n\(WireField.session): \($0)" } ?? ""
    let sender = "\(session)\r\n\(WireField.launch): \(launch)\r\n"
    hello = route.hello.map { Array("\(start($0))0\(sender)\r\n".utf8) }
    untilLength = Array(start(route.target).utf8)
    untilSequence = Array("\(sender)\(WireField.sequence): ".utf8)
  }

  /// The request for at least one event, with consecutive numbers.
  func bytes(for batch: ArraySlice<QueuedEvent>) -> [UInt8] {
    guard let first = batch.first else { return [] }
    var body = JSONWriter()
    if batch.count == 1 {
      body.write(first.event)
    } else {
      body.write(batch.lazy.map(\.event))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(untilLength.count + untilSequence.count + 48 + body.count)
    bytes += untilLength
    bytes += body.count.description.utf8
    bytes += untilSequence
    bytes += first.number.description.utf8
    bytes += "\r\n\r\n".utf8
    bytes += body.bytes
    return bytes
  }
}

/// Names unique for each double: `k3f9.1.ShopWidget`.
enum Launch {
  private static let token = String(UInt64.random(in: .min ... .max), radix: 36)
  private static let last = Locked(0)

  /// A name that no other double has, in any process.
  static func next() -> String {
    let number = last.withLock { last in
      last += 1
      return last
    }
    return LaunchName.text(token: token, number: number, process: ProcessInfo.processInfo.processName)
  }
}
