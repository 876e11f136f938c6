import TestSupport
@testable import StubRecording

/// Responses that URL loading would keep, or never end.
final class UpstreamClientTests: RecordingTestCase {
  func testAChallengeIsPassedOnToTheApp() async throws {
    let backend = try backend()
    let response = try await UpstreamClient(mostBytes: 1_000).send(
      ReceivedRequest(method: "GET", path: "/challenge"), to: backend.url.absoluteString)
    XCTAssertEqual(response.status, 401)
    XCTAssertEqual(response.headers["WWW-Authenticate"], #"Basic realm="books""#)
    XCTAssertEqual(String(decoding: response.body, as: UTF8.self), #"{"error": "who are you?"}"#)
  }

  /// `http://localhost:5000` is also the beginning of `http://localhost:50001`, which is another server.
  func testABaseIsReplacedWhereItEnds() {
    let text =
      "http://localhost:5000/a http://localhost:50001/b http%3A%2F%2Flocalhost%3A5000 http%3A%2F%2Flocalhost%3A50001"
    XCTAssertEqual(
      UpstreamClient.replacing("http://localhost:5000", with: "https://api.example", in: text),
      "https://api.example/a http://localhost:50001/b https%3A%2F%2Fapi.example http%3A%2F%2Flocalhost%3A50001")
  }

  func testAStreamOfEventsIsEndedWithTheReason() async throws {
    let backend = try backend()
    do {
      _ = try await UpstreamClient(mostBytes: 1_000_000).send(
        ReceivedRequest(method: "GET", path: "/events"), to: backend.url.absoluteString)
      XCTFail("the stream has ended")
    } catch {
      XCTAssertEqual(error.reason, "server-sent events can't be recorded")
    }
  }

  /// A body that can't be read would keep its secrets.
  func testOnlyCodingsThatCanBeReadAreRequestedAndTaken() async throws {
    let backend = try backend()
    let port = try XCTUnwrap(backend.url.port)
    // Over plain sockets, and with URL loading.
    for origin in [backend.url.absoluteString, "http://0.0.0.0:\(port)"] {
      let client = UpstreamClient(mostBytes: 1_000)
      func text(_ path: String, isHead: Bool = false) async -> String {
        do throws(UpstreamFailure) {
          let request = ReceivedRequest(
            method: isHead ? "HEAD" : "GET", path: path, headers: ["Accept-Encoding": "br, zstd"])
          return String(decoding: try await client.send(request, to: origin).body, as: UTF8.self)
        } catch {
          return "\(error.isOutage ? "outage" : "refused"): \(error.reason)"
        }
      }
      let responses = [
        await text("/requested-coding"), await text("/gzip"), await text("/coded/identity"),
        await text("/coded/x-other"),
        await text("/coded/gzip+x-other"), await text("/coded/x-other", isHead: true),
      ]
      XCTAssertEqual(
        responses,
        [
          "gzip, deflate", #"{"coding": "gzip"}"#, #"{"token":"coded-1"}"#,
          "refused: its body has the content coding x-other, and only gzip and deflate can be read",
          "refused: its body has the content coding gzip, x-other, and only gzip and deflate can be read", "",
        ], origin)
    }
  }

  func testARequestOfACancelledTaskEnds() async throws {
    let client = UpstreamClient(mostBytes: 1_000)
    for _ in 0..<100 {
      let reason = await Task { () -> String? in
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(UpstreamFailure) {
          _ = try await client.send(ReceivedRequest(method: "GET", path: "/"), to: "http://127.0.0.1:1")
          return nil
        } catch {
          return error.reason
        }
      }.value
      XCTAssertEqual(reason, "the request was cancelled")
    }
  }
}
