import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: mixpanel 5.4.1 (__init__.py), mixpanel-swift 8399b37f (Network.swift:128, MixpanelOptions.swift:266), and captured requests. The iOS
  // SDKs send no `$insert_id`: their id is in `$mp_metadata`.
  /// Mixpanel: `/track` and `/import`, as a form with JSON in `data` (Python) or as a JSON array (Swift).
  public static let mixpanel = AcceptedFormat(
    "Mixpanel",
    JSONEventFormat(
      "Mixpanel", .post, "/track", "/import", events: "[]", name: "event", params: "properties",
      id: "properties.$insert_id", time: "properties.time"
    )
    .with(
      .automatic, where: ["event": .one(of: [.hasPrefix("$"), .hasPrefix("MP: ")])], name: "event", params: "properties"
    )
    .with(.identify, where: ["event": .one(of: ["$identify", "$merge"])], params: "properties")
    .with(.alias, where: ["event": "$create_alias"], params: "properties")
    .mixpanel { format in
      format.moreIDs = ["$mp_metadata.$mp_event_id"]
      format.addedParams = ["$*", "token", "distinct_id", "time", "mp_lib", "mp_processing_time_ms", "ip"]
      format.startupRequests = [
        StubEndpoint(.get, "/flags", .json(["flags": [:]])), StubEndpoint(.post, "/flags", .json(["flags": [:]])),
      ]
    },
    JSONEventFormat(
      "Mixpanel", .post, "/engage", events: "[]", kind: .identify, where: ["$token": .any], name: nil, params: "$set",
      id: "$mp_metadata.$mp_event_id"
    )
    .mixpanel(),
    JSONEventFormat(
      "Mixpanel", .post, "/groups", events: "[]", kind: .group, where: ["$token": .any], name: nil, params: "$set"
    )
    .mixpanel())
}

extension JSONEventFormat {
  /// The properties that all of Mixpanel's formats share.
  fileprivate func mixpanel(_ change: (inout JSONEventFormat) -> Void = { _ in }) -> JSONEventFormat {
    setting { format in
      format.body = .form("data")
      format.makeResponse = { request, _ in .mixpanel(to: request) }
      format.isResponsePrompt = true
      change(&format)
    }
  }
}

extension StubResponse {
  /// The response to a client: JSON for the Python SDK's forms and for imports, otherwise the text `1`, which mixpanel-swift expects.
  fileprivate static func mixpanel(to request: ReceivedRequest) -> StubResponse {
    if request.hasForm("data") { return .json(["status": 1, "error": nil]) }
    return request.path.hasSuffix("/import") ? .json(["code": 200, "status": "OK"]) : .text("1")
  }
}
