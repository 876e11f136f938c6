import Foundation
import StubModel
import TrackingModel
import XCTest

@testable import TrackingServer

/// The JSON of bodies that stubs ask for.
final class JSONBodyTests: ServerTestCase {
  func testTheServerReadsWhatStubsInTheAppRead() {
    for text in [
      #"{"a":[1,2.5,-3e2,true,null,"\u00e9"]}"#, "3", "9223372036854775807", "18446744073709551615", "0.1", " [ ] ",
      #""text""#, "", "{", "nul", #"{"a":1}x"#, #"{"a":1,"b":{"c":[{}]}}"#, "1e400",
    ] {
      let request = StubRequest(method: "POST", path: "/", body: Data(text.utf8))
      let (here, there) = (JSONBody(reading: request, maximumDepth: 64), JSONBody(of: request))
      XCTAssertEqual(try? here.value.get(), try? there.value.get(), text)
    }
    // RFC 8259 2 and 8.1: what is none, Foundation takes all the same.
    for text in ["[1,]", "\u{FEFF}[]"] {
      let request = StubRequest(method: "POST", path: "/", body: Data(text.utf8))
      XCTAssertNil(try? JSONBody(reading: request, maximumDepth: 64).value.get(), text)
    }
  }

  func testALargeBodyIsAnsweredByWhatItSays() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.post, "/numbers", body: .jsonSubset(["last": 999]), .text("thousands")),
        StubEndpoint(.post, "/numbers", body: .json(["last": 1_000]), .text("exact")),
        StubEndpoint(.post, "/numbers", .text("any")))
      let numbers = (0..<300_000).map(String.init).joined(separator: ",")
      let client = try RawClient(server)
      for (last, answer) in [(999, "thousands"), (1_000, "any")] {
        let body = #"{"numbers":[\#(numbers)],"last":\#(last)}"#
        XCTAssertEqual(
          try client.exchange(RawClient.request("POST /numbers HTTP/1.1", ["Host: localhost"], body)).content, answer)
      }
    }
  }
}
