import StubModel
import TrackingServer

extension AcceptedFormat {
  /// Bugsnag: handled errors are events named after their class; crashes and sessions are only counted.
  ///
  /// Sources: bugsnag-cocoa 003d8d4 (Payload/BugsnagEvent.m, BugsnagEndpointConfiguration.h:45). The SDK appends no path to either URL.
  public static let bugsnag = AcceptedFormat(
    "Bugsnag",
    JSONEventFormat(
      "Bugsnag", .post, "/notify", "/", events: "events[]", where: ["exceptions": .any],
      name: "exceptions[].errorClass",
      params: "metaData"
    )
    .with(
      .automatic, where: ["exceptions": .any, "unhandled": true], name: "exceptions[].errorClass", params: "metaData"
    )
    .setting { format in
      format.path = "/notify"
      format.moreParams = ["exceptions[].message"]
      // bugsnag-cocoa adds these sections to the metadata of every event.
      format.addedParams = ["app", "device"]
      format.reply = .status(202)
    },
    JSONEventFormat(
      "Bugsnag", .post, "/sessions", "/", events: "sessions[]", kind: .automatic, where: ["startedAt": .any], name: nil,
      params: ".", time: "startedAt"
    )
    .setting { format in format.reply = .status(202) },
    JSONEventFormat(
      "Bugsnag", .post, "/sessions", "/", events: "sessionCounts[]", kind: .automatic, where: ["startedAt": .any],
      name: nil, params: ".", time: "startedAt"
    )
    .setting { format in format.reply = .status(202) })
}
