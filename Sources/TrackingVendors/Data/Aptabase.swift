import StubModel
import TrackingServer

extension AcceptedFormat {
  /// Aptabase: `/api/v0/events`; no ids, so that a redelivery is recorded again.
  ///
  /// Read in aptabase-swift cfd67fa (Aptabase.swift:125, Models/Event.swift).
  public static let aptabase = AcceptedFormat(
    JSONEventFormat(
      "Aptabase", .post, "/api/v0/events", "/api/v0/event", events: "[]", name: "eventName", params: "props",
      time: "timestamp"
    )
    .setting { format in format.reply = .json([:]) })
}
