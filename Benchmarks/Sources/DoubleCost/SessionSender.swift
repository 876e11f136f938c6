import Foundation
import FoundationNetworking

/// Sends each event as a POST of a `URLSession` over one connection, as apps without a custom client do.
final class SessionSender: Sender {
  private let session: URLSession
  private let url: URL
  private let pending = DispatchGroup()

  init(port: Int) {
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { fatalError("no port: \(port)") }
    self.url = url
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 1
    session = URLSession(configuration: configuration)
  }

  func track() {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = TrackedEvent.json
    pending.enter()
    session.dataTask(with: request) { [pending] _, response, error in
      guard (response as? HTTPURLResponse)?.statusCode == 200 else { fatalError("\(error.debugDescription)") }
      pending.leave()
    }.resume()
  }

  func finish() { pending.wait() }
}
