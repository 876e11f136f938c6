import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// Beacons of monitoring and analytics agents: keys and values, in a body or in a query.
///
/// Read are
/// - lines of `key<TAB>value`, several beacons in one body with an empty line between them;
/// - form fields (`application/x-www-form-urlencoded`), one beacon for each body;
/// - a query string, for a request without a body.
///
/// Each beacon is one event: its keys are the params, and all values are text. A key that comes several times has an array of its values.
///
/// ```swift
/// verifier.decodeEvents(at: "/", with: BeaconDecoding())
/// verifier.verifyBeaconReceived(key: "t", value: "httpRequest")
/// ```
public struct BeaconDecoding: EventDecoding {
  /// The name of the events.
  public static let eventName = "beacon"

  /// The key whose value names the event; `nil` to name all of them ``eventName``.
  public var nameKey: String?

  /// The format, by the key whose value names the event.
  public init(nameKey: String? = nil) {
    self.nameKey = nameKey
  }

  /// The beacons of a request; `nil` for JSON, and for a request that holds no key at all.
  public func events(in request: HTTPRequest) throws -> [TrackingEvent]? {
    let type = request.headers["Content-Type"].map { $0.prefix { $0 != ";" }.lowercased() } ?? ""
    if type.hasSuffix("json") || type.isEmpty && Self.looksLikeJSON(request.body) { return nil }
    let beacons: [FormFields]
    if request.body.isEmpty {
      beacons = [request.query]
    } else if type == "application/x-www-form-urlencoded", !request.body.contains(UInt8(ascii: "\t")) {
      beacons = [request.form]
    } else {
      beacons = try Self.beacons(inLines: request.text)
    }
    let events = beacons.filter { !$0.items.isEmpty }.map(event)
    return events.isEmpty ? nil : events
  }

  /// Events need no Content-Type where they are the server's own.
  private static func looksLikeJSON(_ body: Data) -> Bool {
    body.first { !" \t\r\n".utf8.contains($0) }.map { "{[".utf8.contains($0) } ?? false
  }

  /// Some agents send their lines as form fields that are none, so a tab decides.
  ///
  /// By bytes: to compare a character may take very long, and other line ends than these are part of values.
  private static func beacons(inLines text: String) throws -> [FormFields] {
    var beacons = [FormFields(items: [])]
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, wholeLine) in lines.enumerated() {
      let line = wholeLine.last == UInt8(ascii: "\r") ? wholeLine.dropLast() : wholeLine
      if line.isEmpty {
        beacons.append(FormFields(items: []))
        continue
      }
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else {
        throw BeaconError.noTab(line: index + 1, text: String(Substring(line)))
      }
      beacons[beacons.count - 1].items.append(
        FormFields.Item(
          name: String(Substring(line[..<tab])), value: String(Substring(line[line.index(after: tab)...]))))
    }
    return beacons
  }

  private func event(_ fields: FormFields) -> TrackingEvent {
    var params: [TrackingParam: TrackingValue] = [:]
    for (param, items) in Dictionary(grouping: fields.items, by: { TrackingParam.custom(key: $0.name) }) {
      let values = items.map { TrackingValue.string($0.value) }
      params[param] = values.count == 1 ? values[0] : .array(values)
    }
    return TrackingEvent(name: nameKey.flatMap { fields[$0] } ?? Self.eventName, params: params)
  }
}

/// Why a body holds no beacons.
public enum BeaconError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A line has no tab between a key and a value.
  case noTab(line: Int, text: String)

  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .noTab(let line, let text):
      "line \(line) of the beacons has no tab between a key and a value: \"\(text.shortened(to: 80))\""
    }
  }
}
