import Foundation
import TrackingModel

// One event as five vendors' SDKs send it. As the SDKs do, each client adds its own values, and an id by which the server recognizes a redelivery.
// Not isolated, also where the default isolation is MainActor: events are tracked on any thread.

/// Segment: a batch of items, at a path below its host.
nonisolated struct SegmentClient {
  let writeKey: String
  let host: URL
  let uploads: Uploads

  func track(name: String, properties: [String: TrackingValue]) {
    let item: TrackingValue = [
      "type": "track", "event": .string(name), "properties": .object(properties), "messageId": .newID,
      "timestamp": .now, "anonymousId": "visitor", "context": ["library": ["name": "storefront"]],
    ]
    uploads.post(["batch": [item], "sentAt": .now, "writeKey": .string(writeKey)], to: host.appending(path: "v1/b"))
  }
}

/// PostHog: the same, with its own values among the properties.
nonisolated struct PostHogClient {
  let projectToken: String
  let host: URL
  let uploads: Uploads

  func capture(_ event: String, properties: [String: TrackingValue]) {
    let added: [String: TrackingValue] = [
      "$lib": "storefront", "$os": .string("\(ProcessInfo.processInfo.operatingSystemVersionString)"),
    ]
    let item: TrackingValue = [
      "event": .string(event), "properties": .object(properties.merging(added) { own, _ in own }), "uuid": .newID,
      "timestamp": .now, "distinct_id": "visitor",
    ]
    uploads.post(
      ["api_key": .string(projectToken), "batch": [item], "sent_at": .now], to: host.appending(path: "batch"))
  }
}

/// Amplitude: the URL is taken whole.
nonisolated struct AmplitudeClient {
  let apiKey: String
  let serverURL: URL
  let uploads: Uploads

  func track(eventType: String, eventProperties: [String: TrackingValue]) {
    let event: TrackingValue = [
      "event_type": .string(eventType), "event_properties": .object(eventProperties), "insert_id": .newID,
      "time": .int(Int(Date().timeIntervalSince1970 * 1_000)), "device_id": "visitor", "library": "storefront",
    ]
    uploads.post(["api_key": .string(apiKey), "events": [event]], to: serverURL)
  }
}

/// Mixpanel: an array, with everything but the name among the properties.
nonisolated struct MixpanelClient {
  let token: String
  let serverURL: URL
  let uploads: Uploads

  func track(event: String, properties: [String: TrackingValue]) {
    let added: [String: TrackingValue] = [
      "token": .string(token), "$insert_id": .newID, "time": .int(Int(Date().timeIntervalSince1970 * 1_000)),
      "distinct_id": "visitor", "mp_lib": "storefront",
    ]
    let item: TrackingValue = [
      "event": .string(event), "properties": .object(properties.merging(added) { own, _ in own }),
    ]
    uploads.post([item], to: serverURL.appending(path: "track"))
  }
}

/// Snowplow: self-describing JSON, as text within JSON.
nonisolated struct SnowplowClient {
  let namespace: String
  let endpoint: URL
  let uploads: Uploads

  func track(schema: String, payload: [String: TrackingValue]) {
    let event: TrackingValue = [
      "schema": "iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0",
      "data": ["schema": .string(schema), "data": .object(payload)],
    ]
    let item: TrackingValue = [
      "e": "ue", "p": "srv", "tna": .string(namespace), "eid": .newID, "ue_pr": .string(event.json),
      "dtm": .string("\(Int(Date().timeIntervalSince1970 * 1_000))"),
    ]
    uploads.post(
      ["schema": "iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4", "data": [item]],
      to: endpoint.appending(path: "com.snowplowanalytics.snowplow/tp2"))
  }
}

/// Posts one body after the other.
///
/// A body that isn't acknowledged is posted once more, as SDKs do: if the response was lost, the body may or may not have arrived.
nonisolated final class Uploads: Sendable {
  private let requests: AsyncStream<URLRequest>.Continuation
  private let sending: Task<Void, Never>

  init() {
    let (stream, requests) = AsyncStream.makeStream(of: URLRequest.self)
    self.requests = requests
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 2
    let session = URLSession(configuration: configuration)
    sending = Task {
      for await request in stream where await !Self.isAcknowledged(request, session) {
        _ = await Self.isAcknowledged(request, session)
      }
    }
  }

  func post(_ body: TrackingValue, to url: URL) {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body.json.utf8)
    requests.yield(request)
  }

  /// Waits until everything has been sent.
  func finish() async {
    requests.finish()
    await sending.value
  }

  private static func isAcknowledged(_ request: URLRequest, _ session: URLSession) async -> Bool {
    let response = try? await session.data(for: request).1 as? HTTPURLResponse
    return response.map { (200..<300).contains($0.statusCode) } ?? false
  }
}

nonisolated extension TrackingValue {
  fileprivate static var newID: TrackingValue { .string(UUID().uuidString) }

  fileprivate static var now: TrackingValue { .string(Date().ISO8601Format()) }

  fileprivate var json: String {
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
