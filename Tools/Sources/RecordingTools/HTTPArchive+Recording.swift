import Foundation
@_spi(TrackingCommand) import StubRecording

extension HTTPArchive {
  /// An archive of a recording, with the backends' own URLs in place of `{base}`.
  public init(_ recording: BackendRecording) {
    let exchanges = recording.exported
    self.init(exchanges)
    for text in recording.redacted {
      guard let index = exchanges.firstIndex(where: { text.hasPrefix("\($0.request.line): ") }) else { continue }
      let place = text.dropFirst("\(exchanges[index].request.line): ".count)
      guard let end = place.range(of: ": [redacted ", options: .backwards) else { continue }
      positions.append(
        RedactedPosition(
          exchange: index, place: String(place[..<end.lowerBound]),
          placeholder: String(place[place.index(end.lowerBound, offsetBy: 2)...])))
    }
  }

  /// The archive as a recording, which can be replayed: the backends' URLs are `{base}`, and fields that concern one connection are removed.
  ///
  /// Of a host with `http` and `https`, all exchanges become those of `https`, and redirects from the one to the other are left out, because
  /// a replay has one URL for both. Secrets are replaced when it is written.
  public func recording(_ notes: inout [String]) -> BackendRecording {
    let secured = Set(exchanges.map(\.request.origin).filter { $0.hasPrefix("https:") })
    func origin(_ origin: String) -> String {
      let other = "https" + origin.dropFirst("http".count)
      return secured.contains(other) ? other : origin
    }
    var (all, places): ([RecordedExchange], [Int: Int]) = ([], [:])
    for (index, exchange) in exchanges.enumerated() {
      var moved = exchange
      moved.request.origin = origin(exchange.request.origin)
      let target = moved.request.origin + moved.request.target
      guard moved == exchange || exchange.answer.headers["Location"] != target else {
        notes.append("\(exchange.request.line): left out: it is a redirect to https, and a replay has one URL for both")
        continue
      }
      places[index] = all.count
      all.append(moved)
    }
    var origins: [String] = []
    for exchange in all where !origins.contains(exchange.request.origin) { origins.append(exchange.request.origin) }
    var recording = BackendRecording(importing: all, upstreams: Self.upstreams(origins))
    recording.redacted = positions.compactMap { position in
      places[position.exchange].map { "\(all[$0].request.line): \(position)" }
    }
    return recording
  }

  /// The first origin for all requests, and each other one for its host.
  private static func upstreams(_ origins: [String]) -> [String: String] {
    var upstreams: [String: String] = [:]
    for (index, origin) in origins.enumerated() {
      upstreams[index == 0 ? "/*" : URL(string: origin)?.host ?? origin] = origin
    }
    return upstreams
  }
}

extension RecordedExchange.Request {
  /// The method and the target: `GET /books?page=2`.
  public var line: String { "\(method) \(target)" }
}
