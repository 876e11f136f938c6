import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingServer

extension AcceptedFormat {
  /// Sentry: the messages, handled errors and logs in envelopes at `/api/PROJECT/envelope/`.
  public static let sentry = AcceptedFormat(SentryFormat())
}

/// Sentry's envelopes: a header line, followed by items that consist of a header line and a payload.
///
/// Sources: sentry-sdk 2.75.0 (envelope.py), sentry-cocoa (SentryURLRequestFactory.swift:30, SentryDsn.swift:176), and captured requests.
struct SentryFormat: PromptFormat {
  let name = "Sentry"
  let endpoints: [RequestPattern] = [.request(.post, "/api/:project/envelope"), .request(.post, "/api/:project/store")]

  /// The DSN, with an arbitrary key and project 1.
  func address(at server: URL) -> URL {
    guard var parts = URLComponents(url: server, resolvingAgainstBaseURL: false) else { return server }
    parts.user = "key"
    parts.path = "/1"
    return parts.url ?? server
  }

  func submission(in request: HTTPRequest) throws -> Submission? {
    var submission = Submission(items: [])
    var id: TrackingValue?
    if request.path.hasSuffix("/store") {
      guard let event = try request.wireJSON().objectValue else { return nil }
      submission.read("") { $0.items.append(try item(of: event)) }
      id = event["event_id"]
    } else {
      var reader = EnvelopeReader(request.body)
      guard let header = try reader.line(), let members = try TrackingValue(json: header).objectValue else {
        return nil
      }
      id = members["event_id"]
      var number = 0
      while let item = try reader.item() {
        number += 1
        submission.read("item \(number)") { try read(item, into: &$0) }
      }
    }
    submission.reply = .json(id.map { ["id": $0] } ?? [:])
    return submission
  }

  private func read(_ item: EnvelopeReader.Item, into submission: inout Submission) throws {
    guard item.type == "event" || item.type == "log" else {
      return submission.items.append(Submission.Item(.automatic, TrackingEvent(name: item.type, params: [:])))
    }
    let members = try Optional(TrackingValue(json: item.payload)).members()
    if item.type == "event" { return submission.items.append(try self.item(of: members)) }
    for (index, log) in try members["items"].elements(at: "items").enumerated() {
      submission.read("items[\(index)]") { $0.items.append(try self.item(ofLog: log)) }
    }
  }

  private func item(of event: [String: TrackingValue]) throws(Submission.Malformed) -> Submission.Item {
    var context = event
    let exception = event["exception"].flatMap { ($0.objectValue?["values"] ?? $0).arrayValue?.last?.objectValue }
    guard let name = Self.message(of: event) ?? exception?["type"]?.stringValue else {
      throw Submission.Malformed(path: "", reason: "the event has neither a message nor an exception")
    }
    context["message"] = exception == nil ? nil : context["message"]
    let isHandled = exception?["mechanism"]?.objectValue?["handled"] != .bool(false)
    let params = try context.removeValue(forKey: "extra").members(at: "extra")
    return Submission.Item(
      isHandled ? .track : .automatic, TrackingEvent(name: name, members: params), id: event["event_id"]?.id,
      time: event["timestamp"].flatMap(Date.init(wire:)), context: context)
  }

  private static func message(of event: [String: TrackingValue]) -> String? {
    for message in [event["message"], event["logentry"]] {
      if let text = message?.stringValue, !text.isEmpty { return text }
      if let text = (message?.objectValue?["formatted"] ?? message?.objectValue?["message"])?.stringValue {
        return text
      }
    }
    return nil
  }

  private func item(ofLog log: TrackingValue) throws(Submission.Malformed) -> Submission.Item {
    guard var context = log.objectValue, let body = context.removeValue(forKey: "body")?.stringValue else {
      throw Submission.Malformed(path: "", reason: "the log has no body")
    }
    var params: [String: TrackingValue] = [:]
    for (key, attribute) in try context.removeValue(forKey: "attributes").members(at: "attributes") {
      let value = attribute.objectValue?["value"] ?? attribute
      if key.isListed(in: Self.addedAttributes) { context[key] = value } else { params[key] = value }
    }
    return Submission.Item(
      .track, TrackingEvent(name: body, members: params), time: context["timestamp"].flatMap(Date.init(wire:)),
      context: context)
  }

  /// The attributes of a log that the SDK adds.
  private static let addedAttributes = [
    "sentry.*", "server.address*", "os.*", "device.*", "user.*", "browser.*", "process.*", "thread.*", "logger.*",
    "code.*",
  ]
}

/// Reads an envelope item by item.
///
/// A payload has the length in its header, or ends at the next line feed (develop.sentry.dev, Envelopes).
struct EnvelopeReader {
  struct Item {
    let type: String
    let payload: Data
  }

  private var rest: Data

  init(_ envelope: Data) {
    rest = envelope
  }

  /// Reads the next line; returns `nil` at the end.
  mutating func line() throws -> Data? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    defer { rest = rest[end...].dropFirst() }
    return rest[..<end]
  }

  /// Reads the next item; returns `nil` at the end.
  mutating func item() throws -> Item? {
    var header: Data?
    repeat { header = try line() } while header?.isEmpty ?? false
    guard let header else { return nil }
    let members = try TrackingValue(json: header).objectValue ?? [:]
    let type = members["type"]?.word ?? "unknown"
    guard case .int(let length)? = members["length"] else { return Item(type: type, payload: try line() ?? Data()) }
    guard length >= 0, length <= rest.count else {
      throw Submission.Malformed(
        path: "", reason: "the header announces an item of \(length) bytes, but only \(rest.count) are left")
    }
    let payload = rest.prefix(length)
    rest = rest.dropFirst(length)
    if rest.first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
    return Item(type: type, payload: payload)
  }
}
