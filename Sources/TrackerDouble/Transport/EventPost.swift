import Foundation
import TrackingModel
import TrackingSockets

/// The requests of a double: its hello, and those that carry events, an object for one event, an array for several.
struct EventPost {
  /// The request that tells the verifier that the app was launched with its endpoint; `nil` if there is none to tell.
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

  /// The request for a batch of at least one event, with consecutive numbers.
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

/// Names that are unique for each double: `k3f9.1.ShopWidget`.
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
