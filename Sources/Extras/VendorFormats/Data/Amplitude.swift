import StubModel
import TrackingPatterns
import TrackingServer

extension AcceptedFormat {
  // Sources: amplitude-analytics 1.3.0 (http_client.py, event.py), Amplitude-Swift 17ca168c (Configuration.swift:39,61, Events/BaseEvent.swift:33),
  // and Amplitude-iOS 8 (AMPNSURLSessionNetworkClient.m, Amplitude.m).
  /// Amplitude: HTTP V2 (`/2/httpapi`), batch (`/batch`), and the older SDKs' form, posted to `/`.
  public static let amplitude = AcceptedFormat(
    "Amplitude", path: "/2/httpapi",
    amplitude(
      "/2/httpapi", "/batch", events: "events[]", id: "insert_id", time: "time",
      automatic: sentBySDK + [.hasPrefix("[Amplitude] ")]
    )
    .setting { format in
      format.moreParams = [
        "price", "quantity", "productId", "product_id", "revenue", "revenueType", "revenue_type", "currency",
      ]
      format.addedParams = ["[Amplitude] *"]
      // amplitude-analytics loses a batch if the response isn't JSON with a `code` (observed).
      format.makeResponse = { request, submission in
        .json([
          "code": 200, "events_ingested": .int(submission.items.count),
          "payload_size_bytes": .int(request.body.count), "server_upload_time": 0,
        ])
      }
      format.isResponsePrompt = true
    },
    amplitude("/", events: "[]", id: "uuid", time: "timestamp", automatic: sentBySDK)
      .setting { format in
        format.body = .form("e")
        // Any other text makes the SDK send the events again.
        format.response = .text("success")
      })

  /// `$exposure` is that of the experiment SDKs.
  private static let sentBySDK: [ValueMatcher] = ["session_start", "session_end", "$exposure"]

  private static func amplitude(
    _ paths: StubPath..., events: String, id: String, time: String, automatic: [ValueMatcher]
  ) -> JSONEventFormat {
    var format = JSONEventFormat(
      "Amplitude", events: events, name: "event_type", params: "event_properties", id: id, time: time
    )
    .with(.automatic, where: ["event_type": .one(of: automatic)], name: "event_type", params: "event_properties")
    .with(.identify, where: ["event_type": "$identify"], params: "user_properties")
    .with(.group, where: ["event_type": "$groupidentify"], params: "group_properties")
    format.endpoints = paths.map { .request(.post, $0) }
    return format
  }

  /// Returns Amplitude's formats at another path, because the SDK appends no path to its `serverUrl`.
  public static func amplitude(at path: String) -> AcceptedFormat { amplitude.at(path) }
}
