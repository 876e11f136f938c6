import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: Openpanel-dev/swift-sdk 1934db4 (OpenPanel.swift).
  /// OpenPanel: `/track`, one item per request, without ids, so a redelivery is recorded again.
  public static let openPanel = AcceptedFormat(
    JSONEventFormat(
      "OpenPanel", .post, "/track", events: "", where: ["type": "track"], name: "payload.name",
      params: "payload.properties"
    )
    .with(
      .automatic, where: ["type": "track", "payload.name": .one(of: ["app_opened", "app_closed"])],
      name: "payload.name", params: "payload.properties"
    )
    .with(
      .screen, where: ["type": "track", "payload.name": "screen_view"], name: "payload.name",
      params: "payload.properties"
    )
    .with(.identify, where: ["type": .one(of: ["identify", "increment", "decrement"])], params: "payload")
    .with(.alias, where: ["type": "alias"], params: "payload")
    .with(.group, where: ["type": .one(of: ["group", "assign_group"])], params: "payload")
    .setting { format in
      // Such as `__path` and `__referrer`.
      format.addedParams = ["__*"]
      // The amount that the app passes to `revenue(_:)`.
      format.moreParams = ["payload.properties.__revenue"]
      format.response = .json(["deviceId": "test", "sessionId": "test"])
    })
}
