import Foundation
import TrackingModel

/// Posts events as a sender other than the double would: one by one, under the name of another launch of this process.
nonisolated struct RawSender {
  private let endpoint: TrackingEndpoint
  private let launch = "\(String(UInt64.random(in: .min ... .max), radix: 36)).1.\(ProcessInfo.processInfo.processName)"
  private var posted = 0

  init(to endpoint: TrackingEndpoint) {
    self.endpoint = endpoint
  }

  /// Posts an event, or only the first half of its body, and waits for the response.
  mutating func post(_ event: TrackingEvent, isCutShort: Bool = false) {
    posted += 1
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let url, let body = try? encoder.encode(event) else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue(endpoint.session, forHTTPHeaderField: "Tracking-Session")
    request.setValue(launch, forHTTPHeaderField: "Tracking-Launch")
    request.setValue("\(posted)", forHTTPHeaderField: "Tracking-Sequence")
    request.httpBody = isCutShort ? body.prefix(body.count / 2) : body
    let hasResponse = DispatchSemaphore(value: 0)
    URLSession.shared.dataTask(with: request) { _, _, _ in hasResponse.signal() }.resume()
    hasResponse.wait()
  }

  /// The endpoint by its IPv4 address, as Foundation on Linux takes no URL with an IPv6 one; a verifier listens on both.
  private var url: URL? {
    guard var components = URLComponents(url: endpoint.url, resolvingAgainstBaseURL: false) else { return nil }
    components.host = "127.0.0.1"
    return components.url
  }
}
