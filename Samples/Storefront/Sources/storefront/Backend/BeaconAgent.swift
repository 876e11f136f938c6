import Foundation
import StorefrontKit

/// A monitoring agent, as apps link one: posts beacons about the session and its requests to `-reportingURL`, under the app's `-key`.
///
/// A beacon is lines of a key, a tab and a value; a body holds several, with an empty line between.
actor BeaconAgent: RequestObserver {
  private let url: URL
  private let key: String
  private let session: URLSession
  /// The beacons that were not posted yet, or not accepted.
  private var beacons: [String] = []

  /// `nil` when the arguments name no place to report to.
  init?(arguments: [String]) {
    guard let url = Self.value(of: "-reportingURL", in: arguments).flatMap(URL.init(string:)),
      let key = Self.value(of: "-key", in: arguments)
    else { return nil }
    self.url = url
    self.key = key
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 5
    session = URLSession(configuration: configuration)
    beacons = [Self.beacon(key, "sessionStart", [])]
  }

  func requestEnded(_ request: URLRequest, status: Int?) {
    beacons.append(
      Self.beacon(
        key, "httpRequest",
        [
          ("m", request.httpMethod ?? "GET"), ("u", request.url?.path() ?? ""),
          ("st", status.map { "\($0)" } ?? "none"),
        ]))
  }

  /// Posts the beacons; if they aren't accepted, the next post contains them again.
  func send() async {
    guard !beacons.isEmpty else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("text/plain; charset=utf-8", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(beacons.joined(separator: "\n").utf8)
    let count = beacons.count
    let response = try? await session.data(for: request)
    guard let response = response?.1 as? HTTPURLResponse, (200..<300).contains(response.statusCode) else { return }
    beacons.removeFirst(count)
  }

  private static func beacon(_ key: String, _ type: String, _ fields: [(String, String)]) -> String {
    ([("k", key), ("t", type)] + fields).map { "\($0)\t\($1)\n" }.joined()
  }

  private static func value(of name: String, in arguments: [String]) -> String? {
    arguments.firstIndex(of: name).flatMap { arguments[$0...].dropFirst().first }
  }
}
