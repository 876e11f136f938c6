import XCTest

@testable import StubModel

final class MediaTypeTests: XCTestCase {
  func testAMediaTypeFollowsFromTheExtension() {
    let rows = [
      "a.json": "application/json", "a/b.PNG": "image/png", "a.tar.gz": "application/gzip",
      "a.html": "text/html; charset=utf-8", "a.b/c": "application/octet-stream", "a": "application/octet-stream",
      "a.": "application/octet-stream", ".json": "application/octet-stream", "": "application/octet-stream",
      "a.xyz": "application/octet-stream", "caf\u{e9}.mp3": "audio/mpeg",
    ]
    for (name, type) in rows { XCTAssertEqual(MediaType.of(name), type, name) }
  }
}
