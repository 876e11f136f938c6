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
  /// Secrets are replaced when it is written.
  public var recording: BackendRecording {
    var origins: [String] = []
    for exchange in exchanges where !origins.contains(exchange.request.origin) {
      origins.append(exchange.request.origin)
    }
    var recording = BackendRecording(importing: exchanges, upstreams: Self.upstreams(origins))
    recording.redacted = positions.map { "\(exchanges[$0.exchange].request.line): \($0)" }
    return recording
  }

  /// The first origin for all requests, and each other one for its host.
  private static func upstreams(_ origins: [String]) -> [String: String] {
    var upstreams: [String: String] = [:]
    for (index, origin) in origins.enumerated() {
      upstreams[index == 0 ? "/*" : URL(string: origin)?.host() ?? origin] = origin
    }
    return upstreams
  }
}

extension RecordedExchange.Request {
  /// The method and the target: `GET /books?page=2`.
  public var line: String { "\(method) \(target)" }
}
