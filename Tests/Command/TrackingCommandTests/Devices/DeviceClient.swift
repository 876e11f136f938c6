import Foundation

@testable import TrackingSockets

/// A connection to a relay from one of this machine's loopback addresses, which stands for a device.
final class DeviceClient: Sendable {
  struct Failure: Error {}

  private let descriptor: Int32

  init(to address: IPv4Address, port: UInt16, from here: String = "127.0.0.3") throws {
    // SOCK_STREAM, which is the same on Linux and Darwin and is imported with different types.
    descriptor = socket(AF_INET, 1, 0)
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    guard let source = IPv4Address(here), call(bind, source, 0) == 0, call(connect, address, port) == 0 else {
      throw Failure()
    }
  }

  deinit {
    close(descriptor)
  }

  private func call(
    _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ address: IPv4Address, _ port: UInt16
  ) -> Int32 {
    SocketAddress(.machine(address), port: port).withSystemAddress { call(descriptor, $0, $1) }
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Foundation.send(descriptor, bytes, bytes.count, 0)
  }

  /// Everything up to the end of the connection; `nil` if it ends without an answer.
  func answer() -> String? {
    var received: [UInt8] = []
    var space = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &space, space.count, 0)
      guard count > 0 else { break }
      received += space[..<count]
    }
    return received.isEmpty ? nil : String(decoding: received, as: UTF8.self)
  }

  /// The status of the answer to a request; `nil` if there is none.
  func status(of request: String) -> Int? {
    send(request)
    return answer().flatMap { Int($0.split(separator: " ", maxSplits: 2).dropFirst().first ?? "") }
  }
}
