import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingServer

extension AcceptedFormat {
  /// OpenTelemetry: log records at `/v1/logs`, as protobuf or JSON; traces and metrics are only counted.
  public static let openTelemetry = AcceptedFormat(
    "OpenTelemetry",
    // Python's logging handler adds the source location.
    OpenTelemetryLogs(name: "OpenTelemetry", path: "/v1/logs", addedAttributes: ["posthog*", "session.id", "code.*"]),
    OpenTelemetrySignals())
}

// Sources: opentelemetry-proto (logs.proto, common.proto), opentelemetry-exporter-otlp-proto-http 1.45.2, OpenTelemetry Swift
// (OtlpHttpLogExporter.swift:24, OtlpConfiguration.swift:43), and captured requests.
/// OTLP's log records: the name is `event_name` or else the body, and the attributes are the params.
///
/// Records have no ids, but nanoseconds, so time and content identify a redelivery.
struct OpenTelemetryLogs: PromptFormat {
  let name: String
  let path: String
  /// The attributes that SDKs add; a star at the end of a key matches any rest.
  let addedAttributes: [String]

  var endpoints: [RequestPattern] { [.request(.post, .template(path))] }

  func address(at server: URL) -> URL { server.appending(path: path) }

  func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    let isJSON = request.hasType("application/json")
    var submission = DecodedSubmission(items: [], response: .openTelemetry(isJSON: isJSON))
    let message = isJSON ? try request.wireJSON() : try OTLPMessage.logs.json(request.body)
    guard let records = LogRecord.records(in: message, &submission) else { return nil }
    var ids: [String: Int] = [:]
    for record in records {
      var item = item(of: record)
      if let id = Self.id(of: item, at: record.nanoseconds) {
        // Equal records of one request are several events.
        item.id = "\(id) \(ids[id, default: 0])"
        ids[id, default: 0] += 1
      }
      submission.items.append(item)
    }
    return submission
  }

  /// An id from time and content; `nil` for clocks of whole milliseconds, in which two events may be equal.
  private static func id(of item: DecodedSubmission.Item, at nanoseconds: UInt64?) -> String? {
    guard let nanoseconds, nanoseconds % 1_000_000 != 0 else { return nil }
    var hasher = Hasher()
    hasher.combine(item.event)
    return "\(nanoseconds) \(hasher.finalize())"
  }

  private func item(of record: LogRecord) -> DecodedSubmission.Item {
    var params = record.attributes
    var context = DecodedSubmission.sharedContext(record.resource, as: "resource")
    if let severity = record.severity { context["severity"] = .string(severity) }
    if let scope = record.scope { context["scope"] = .string(scope) }
    var added: [String] = []
    for key in params.keys where key.isListed(in: addedAttributes) {
      context[key] = params.removeValue(forKey: key)
      added.append(key)
    }
    return DecodedSubmission.Item(
      .track, TrackingEvent(name: record.name, members: params), time: record.time, context: context, addedParams: added
    )
  }
}

/// Traces and metrics, which an exporter sends to the same address as logs; acknowledged and counted.
private struct OpenTelemetrySignals: PromptFormat {
  let name = "OpenTelemetry"
  let endpoints: [RequestPattern] = [.request(.post, "/v1/traces"), .request(.post, "/v1/metrics")]

  func submission(in request: ReceivedRequest) -> DecodedSubmission? {
    let isJSON = request.hasType("application/json")
    let event = TrackingEvent(name: request.path.hasSuffix("traces") ? "traces" : "metrics", params: [:])
    return DecodedSubmission(
      items: [DecodedSubmission.Item(.automatic, event)], response: .openTelemetry(isJSON: isJSON))
  }
}

extension StubResponse {
  fileprivate static func openTelemetry(isJSON: Bool) -> StubResponse {
    isJSON ? .json([:]) : .data(Data(), type: "application/x-protobuf")
  }
}
