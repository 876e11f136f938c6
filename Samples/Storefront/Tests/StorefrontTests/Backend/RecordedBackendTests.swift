import Foundation
import StorefrontDriver
import StorefrontEvents
import StubRecording
import TrackingVerifier
import XCTest

/// The running app with a backend, and then with what was recorded of it.
final class RecordedBackendTests: XCTestCase {
  /// Stands for a backend that exists: it remembers searches, responds with absolute URLs, and sets a cookie.
  private lazy var backend = TrackingVerifier(with: self, configuration: .backend)
  private let folder = FileManager.default.temporaryDirectory.appending(path: "Storefront-\(UUID().uuidString)/shop")

  override func tearDown() {
    try? FileManager.default.removeItem(at: folder.deletingLastPathComponent())
  }

  /// Runs the app with its backend behind a server; returns the screens that the user sees, and the tracked events.
  private func journey(_ mode: String) throws -> (screens: [String], events: [TrackingEvent]) {
    let server = TrackingServer()
    let recording = try server.use(
      .folder(at: folder, upstreams: ["/*": backend.baseURL]), environment: ["TRACKING_RECORD": mode])
    let verifier = TrackingVerifier(with: self, server: server, configuration: .backend)
    let app = StorefrontApp()
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    try app.launch()
    var screens = [try app.screen]
    for command in ["search lamp", "open product 42", "add", "cart", "search zebra"] {
      try app.tap(command)
      screens.append(try app.screen)
    }
    verifier.wait(for: SearchPerformed(text: "zebra", resultCount: 0))
    app.quit()
    verifier.stop()
    server.stop()
    try recording.finish()
    return (screens, verifier.events)
  }

  func testTheAppShowsAndTracksTheSameWithTheRecordingAlone() throws {
    backend.start()
    backend.stub(.get, "/products", .json(file: "products").with(header: "Set-Cookie", "visit=8d1f02c4a7; Secure"))
    backend.stub(.request(.get, "/search", query: ["q": "lamp"]), .json(file: "search/lamp"))
    backend.stub(.get, "/search", .json(file: "search/nothing"))
    backend.stub(.get, "/products/:id", .json(file: "products/42"))
    let live = try journey("once")
    XCTAssertEqual(live.screens.last, "Nothing found for \"zebra\"")
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted(),
      ["recording.json"])
    let count = backend.requests.count
    let replayed = try journey("replay")
    XCTAssertEqual(replayed.screens, live.screens)
    XCTAssertEqual(replayed.events, live.events)
    XCTAssertEqual(backend.requests.count, count, "the backend got a request")
  }
}
