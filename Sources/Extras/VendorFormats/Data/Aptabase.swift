import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: aptabase-swift cfd67fa (Aptabase.swift:125, Models/Event.swift).
  /// Aptabase: `/api/v0/events`, without ids, so a redelivery is recorded again.
  public static let aptabase = AcceptedFormat(
    JSONEventFormat(
      "Aptabase", .post, "/api/v0/events", "/api/v0/event", events: "[]", name: "eventName", params: "props",
      time: "timestamp"
    )
    .setting { format in format.response = .json([:]) })
}
