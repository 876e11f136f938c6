import Foundation
import StubRecording
import StubReplay
import TrackingJSON
import TrackingModel

extension HTTPArchive {
  /// The archive as a recording, which can be replayed: the backends' URLs are `{base}`, and fields that concern one connection are removed.
  ///
  /// Of a host with `http` and `https`, all exchanges become those of `https`, and redirects from the one to the other are left out, because
  /// a replay has one URL for both. Secrets are replaced when it is written.
  func recording(_ notes: inout [String]) -> BackendRecording {
    let secured = Set(exchanges.map(\.request.origin).filter { $0.hasPrefix("https:") })
    func origin(_ origin: String) -> String {
      let other = "https" + origin.dropFirst("http".count)
      return secured.contains(other) ? other : origin
    }
    var all: [RecordedExchange] = []
    for exchange in exchanges {
      let request = exchange.request
      var moved = exchange
      moved.request.origin = origin(request.origin)
      let target = moved.request.origin + moved.request.target
      guard moved == exchange || exchange.answer.headers["Location"] != target else {
        notes.append(
          "\(request.method) \(request.target): left out: it is a redirect to https, and a replay has one URL for both")
        continue
      }
      all.append(moved)
    }
    var origins: [String] = []
    for exchange in all where !origins.contains(exchange.request.origin) { origins.append(exchange.request.origin) }
    return BackendRecording(importing: all, upstreams: Self.upstreams(origins))
  }

  /// The first origin for all requests, and each other one for its host, or for a separate name if that host has several ports.
  private static func upstreams(_ origins: [String]) -> [String: String] {
    var upstreams: [String: String] = [:]
    var hosts: Set<String> = []
    for origin in origins {
      let url = URLComponents(string: origin)
      let host = url?.host ?? origin
      let isNew = hosts.insert(host).inserted
      let key = isNew ? host : "\(host)-\(url?.port.map(String.init) ?? url?.scheme ?? "").localhost"
      upstreams[upstreams.isEmpty ? "/*" : key] = origin
    }
    return upstreams
  }
}
