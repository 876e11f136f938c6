import TestSupport
import TrackingModel
import TrackingServer
import TrackingVerifier

@testable import TrackingCommand

/// The received entries, in responses and in `GET entries`.
final class EntriesTests: ToolTestCase {
  private func service() throws -> (server: TrackingServer, served: Served) {
    let server = TrackingServer()
    try server.start()
    addTeardownBlock { server.stop() }
    let service = CheckService(about: server, plan: nil) { ([:], nil) }
    service.start()
    let url = try XCTUnwrap(server.endpoint?.url)
    return (
      server,
      Served(
        events: url.absoluteString,
        checks: "http://localhost:\(url.port ?? 0)\(CheckService.path)#token=\(service.token)")
    )
  }

  func testAResponseAsksNoOpenCheckForItsReport() async throws {
    let (server, served) = try service()
    let reports = Locked(0)
    let end = server.notes?.beginWait("an open check", at: "wait:1") {
      reports.withLock { $0 += 1 }
      return ("open", nil)
    }
    _ = try await post(#"{"name": "a"}"#, to: served.events)
    let passed = try await served.wait(#"{"event": "a", "timeout": 0}"#)
    XCTAssertEqual(passed["entries"]?[0]?["name"], "a")
    _ = try await served.wait(#"{"event": "b", "timeout": 0}"#)
    _ = try await served.send("GET", "entries")
    XCTAssertEqual(reports.withLock { $0 }, 0)
    // The session is read by people.
    _ = server.sessionJSON
    XCTAssertEqual(reports.withLock { $0 }, 1)
    end?(nil)
  }

  /// With its time, marks and redeliveries, in the order of the numbers.
  func testAnEntryOfAResponseIsTheSessions() async throws {
    let (server, served) = try service()
    for number in 1...3 { _ = try await post(#"{"name": "a", "params": {"n": \#(number)}}"#, to: served.events) }
    _ = try await get("\(served.events.replacing("[::1]", with: "localhost"))/books")
    _ = try await post("{", to: served.events)
    let order = try await served.wait(
      #"{"inAnyOrder": [{"event": "a", "params": {"n": 3}}, {"event": "a", "params": {"n": 1}}]}"#)
    XCTAssertEqual(order["entries"]?.arrayValue?.map { $0["number"] }, [1, 3])
    let session = try JSONDecoder().decode(TrackingValue.self, from: server.sessionJSON)["entries"]?.arrayValue ?? []
    XCTAssertEqual(order["entries"]?.arrayValue, [session[0], session[2]])
    let all = try await served.send("GET", "entries").json
    XCTAssertEqual(all["entries"]?.arrayValue, session)
    XCTAssertEqual(session[0]["isMatched"], true)
  }

  func testEntriesAreListedByKindNameStubAndMark() async throws {
    let (_, served) = try service()
    let app = served.events.replacing("[::1]", with: "localhost")
    _ = try await served.send("POST", "stubs", #"[{"request": "GET /books", "json": []}]"#)
    for name in ["a", "b"] { _ = try await post(#"{"name": "\#(name)"}"#, to: served.events) }
    for path in ["books", "carts"] { _ = try await get("\(app)/\(path)") }
    _ = try await post(#"{"nme": 1}"#, to: served.events)
    _ = try await served.send("POST", "marks")
    _ = try await post(#"{"name": "a"}"#, to: served.events)
    for (query, numbers, counts) in [
      // A rejected submission is a request, too.
      ("", [1, 2, 3, 4, 5, 6, 7], ["event": 3, "request": 3, "rejection": 1]),
      ("?kind=event", [1, 2, 7], ["event": 3]),
      ("?kind=request,event", [1, 2, 3, 4, 5, 7], ["event": 3, "request": 3]),
      ("?kind=rejection", [6], ["rejection": 1]), ("?name=a", [1, 7], ["event": 2]),
      ("?name=a&kind=event", [1, 7], ["event": 2]), ("?name=c", [], ["event": 0]),
      ("?stubbed=false", [4], ["request": 1]), ("?stubbed=false&kind=request", [4], ["request": 1]),
      ("?since=m1", [7], ["event": 1, "request": 0, "rejection": 0]), ("?since=m1&stubbed=false", [], ["request": 0]),
    ] as [(String, [TrackingValue], TrackingValue)] {
      let (status, json) = try await served.send("GET", "entries\(query)")
      XCTAssertEqual(status, 200, query)
      XCTAssertEqual(json["entries"]?.arrayValue?.map { $0["number"] }, numbers, query)
      XCTAssertEqual(json["counts"], counts, query)
    }
    for (query, reason) in [
      ("nme=a", #""nme" is unknown here; the nearest is name"#),
      ("kind=events", #"kind[0]: expected one of event, request, rejection, found "events""#),
      ("kind=event,", #"kind[1]: expected one of event, request, rejection, found """#),
      ("kind=", #"kind[0]: expected one of event, request, rejection, found """#),
      ("name=a&name=b", "name is there twice"), ("name=", #"name: expected an event's name, found """#),
      ("name=a&kind=request", #"kind[0]: expected event, found "request""#),
      ("name=a&kind=event,request", #"kind[1]: expected event, found "request""#),
      ("stubbed=false&kind=event", #"kind[0]: expected request, found "event""#),
      ("name=a&stubbed=false", "stubbed: is there besides name; the name is of events, and stubbed is of requests"),
      ("stubbed=true", #"stubbed: expected false, found "true""#), ("stubbed=", #"stubbed: expected false, found """#),
      ("since=m9", #"since: there is no mark "m9"; the last is m1"#),
    ] {
      let (status, json) = try await served.send("GET", "entries?\(query)")
      XCTAssertEqual(status, 400, query)
      XCTAssertEqual(json, ["error": .string(reason)], query)
    }
  }
}
