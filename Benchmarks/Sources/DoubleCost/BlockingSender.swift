import BlockingClient
import Foundation

/// The least that a POST can cost: the body was encoded before, and the caller waits for the answer.
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
    guard status == 200 else { fatalError("the server answered \(status)") }
  }

  func finish() {}
}
