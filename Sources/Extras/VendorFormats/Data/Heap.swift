import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: heapapi 0.0.3, which isn't by Heap. The requests of Heap's Swift SDK are unknown, since it is closed source.
  /// Heap: the server API (`/api/track` and `/api/add_user_properties`).
  ///
  /// The Swift SDK's format isn't known.
  public static let heap = AcceptedFormat(
    "Heap",
    JSONEventFormat(
      "Heap", .post, "/api/track", events: "events[]", name: "event", params: "properties", id: "idempotency_key",
      time: "timestamp"
    )
    .setting { format in
      format.envelope = ["app_id", "library"]; format.response = .json([:])
    },
    JSONEventFormat(
      "Heap", .post, "/api/track", events: "", name: "event", params: "properties", id: "idempotency_key",
      time: "timestamp"
    )
    .setting { format in format.response = .json([:]) },
    JSONEventFormat(
      "Heap", .post, "/api/add_user_properties", events: "", kind: .identify, where: ["app_id": .any], name: nil,
      params: "properties"
    )
    .setting { format in format.response = .json([:]) })
}
