import TestSupport

@testable import TrackingChecks

/// The texts of failures of a pattern that a delayed response matches.
final class ResponseTextTests: XCTestCase {
  private let slow = EntryPattern.request(.get, "/slow").responded(200)

  func testFailuresNameTheResponse() {
    let journal = HandMadeJournal()
    journal.add("tapped", at: 5)
    journal.openRequest("/slow", delaying: 200, at: 10)
    assertText(
      journal.failure(of: .one(slow)).text,
      """
      No request GET /slow responded 200 arrived within 5 s; #2 has no response yet

      Nearest is #2, 10 ms after the wait began (! differs):
                    expected  request
            path    /slow     /slow
            method  GET       GET
          ! status  200       no response yet

      Received, by time since the wait began:
          #1  +5 ms   tapped()
          #2  +10 ms  GET /slow, no response yet
      """)
    journal.send(2, at: 1_500)
    assertText(
      journal.failure(of: .none(of: slow, within: 5)).text,
      """
      Expected no request GET /slow responded 200 within 5 s, but #2, GET /slow, was responded to after 1.5 s

      Received, by time since the wait began:
          #1  +5 ms               tapped()
          #2  +10 ms              GET /slow, response later
          #2  +1.5 s  unexpected  response: GET /slow -> 200
      """)
    assertText(
      journal.failure(of: .count(0, of: slow)).text,
      """
      Expected no request GET /slow responded 200, but #2, GET /slow, was responded to after 1.5 s

      Received, by time since the wait began:
          #1  +5 ms          tapped()
          #2  +10 ms         GET /slow, response later
          #2  +1.5 s  extra  response: GET /slow -> 200
      """)
    assertText(
      journal.failure(of: .one(.request(.get, "/slow").responded(201))).text,
      """
      No request GET /slow responded 201 arrived within 5 s; #2 has the status 200

      Nearest is #2, responded 1.5 s after the wait began (! differs):
                    expected  request
            path    /slow     /slow
            method  GET       GET
          ! status  201       200

      Received, by time since the wait began:
          #1  +5 ms   tapped()
          #2  +10 ms  GET /slow, response later
          #2  +1.5 s  response: GET /slow -> 200
      """)
  }
}
