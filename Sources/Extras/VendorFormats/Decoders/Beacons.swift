import Foundation
import StubModel
import TrackingModel
import TrackingServer

extension AcceptedFormat {
  /// Returns a format for beacons of monitoring and analytics agents: keys and values in a body or a query.
  ///
  /// ```swift
  /// verifier.accept(.beacons(at: "/"))
  /// verifier.verifyBeaconReceived(key: "t", value: "httpRequest")
  /// ```
  ///
  /// Supported forms:
  /// - lines of `key<TAB>value`, with an empty line between the beacons of a body;
  /// - form fields (`application/x-www-form-urlencoded`), one beacon per body;
  /// - a query string, for a request without a body. A request with neither is a health check and carries no event.
  ///
  /// Each beacon is one event. Its keys are the params, and all values are text. A repeated key has an array of its values. The event's name is
  /// the value of `nameKey`, or `beacon` without one. Without a method, requests of all methods are read.
  public static func beacons(
    _ method: ReceivedRequest.Method = .any, at paths: StubPath..., nameKey: String? = nil
  ) -> AcceptedFormat {
    AcceptedFormat(BeaconFormat(endpoints: paths.map { .request(method, $0) }, nameKey: nameKey))
  }
}

struct BeaconFormat: PromptFormat {
  let name = "Beacons"
  let endpoints: [RequestPattern]
  let nameKey: String?

  /// Returns `nil` for JSON, and for a request without a key.
  func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    let type = request.headers["Content-Type"].map { $0.prefix { $0 != ";" }.lowercased() } ?? ""
    if type.hasSuffix("json") || type.isEmpty && Self.looksLikeJSON(request.body) { return nil }
    let beacons: [ReceivedFields]
    if request.body.isEmpty {
      beacons = [try request.wireQuery()]
    } else if type == "application/x-www-form-urlencoded", !request.body.contains(UInt8(ascii: "\t")) {
      beacons = [try request.wireForm()]
    } else {
      // Some agents label tab-separated lines as a form, so a tab in the body overrides the content type.
      guard let text = String(bytes: request.body, encoding: .utf8) else {
        throw DecodedSubmission.Malformed(path: "", reason: "the beacons are not UTF-8")
      }
      beacons = try Self.beacons(inLines: text)
    }
    let items = beacons.filter { !$0.pairs.isEmpty }.map { DecodedSubmission.Item(.track, event($0), isText: true) }
    return items.isEmpty ? nil : DecodedSubmission(items: items)
  }

  /// Recognizes the server's own events, which need no Content-Type.
  private static func looksLikeJSON(_ body: Data) -> Bool {
    body.first { !" \t\r\n".utf8.contains($0) }.map { "{[".utf8.contains($0) } ?? false
  }

  /// Splits by bytes: comparing characters may take very long, and other line ends are part of values.
  private static func beacons(inLines text: String) throws -> [ReceivedFields] {
    var beacons = [ReceivedFields(pairs: [])]
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, wholeLine) in lines.enumerated() {
      let line = wholeLine.last == UInt8(ascii: "\r") ? wholeLine.dropLast() : wholeLine
      if line.isEmpty {
        beacons.append(ReceivedFields(pairs: []))
        continue
      }
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else {
        let text = String(Substring(line)).shortened(to: 80)
        throw DecodedSubmission.Malformed(
          path: "line \(index + 1)", reason: "expected a tab between a key and a value, found \"\(text)\"")
      }
      beacons[beacons.count - 1].pairs.append(
        NamedText(name: String(Substring(line[..<tab])), value: String(Substring(line[line.index(after: tab)...]))))
    }
    return beacons
  }

  private func event(_ fields: ReceivedFields) -> TrackingEvent {
    var params: [TrackingParam: TrackingValue] = [:]
    for (param, items) in Dictionary(grouping: fields.pairs, by: { TrackingParam.custom(key: $0.name) }) {
      let values = items.map { TrackingValue.string($0.value) }
      params[param] = values.count == 1 ? values[0] : .array(values)
    }
    return TrackingEvent(name: nameKey.flatMap { fields[$0] } ?? "beacon", params: params)
  }
}
