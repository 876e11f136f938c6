import BlockingClient
import Foundation

/// The minimum cost of a POST: the body is encoded beforehand, and the caller waits for the response.
struct BlockingSender: Sender {
  private let descriptor: Int32
  private let body = Array(TrackedEvent.json)

  init(port: Int) {
    descriptor = blockingClientConnect(Int32(port))
  }

  func track() {
    let status = body.withUnsafeBytes { bytes in
      blockingClientPost(descriptor, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
    }
    guard status == 200 else { fatalError("the server responded \(status)") }
  }

  func finish() {}
}
