import Foundation
import StubModel
import TrackingModel
import TrackingSockets
import XCTest

@testable import TrackingServer

final class JournalTests: ServerTestCase {
  func testEventsAreNumberedInTheOrderOfArrivalAndSayWhereTheyCameFrom() {
    let journal = Journal(limits: .init())
    let before = ContinuousClock.now
    XCTAssertTrue(record("ab", in: journal, launch: "p.1", sequence: 1, connection: 3))
    journal.record(TrackingEvent(name: "c"))
    XCTAssertEqual(
      describe(journal.events), ["1 a connection 3 launch p.1 #1", "2 b connection 3 launch p.1 #2", "3 c"])
    XCTAssertTrue(journal.events.allSatisfy { $0.arrival >= before && $0.arrival <= .now })
    XCTAssertEqual(journal.events(from: 3).map(\.event.name), ["c"])
  }

  func testWhatIsSentAgainIsAcknowledgedAndRecordedOnce() {
    let journal = Journal(limits: .init())
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1))
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1))
    XCTAssertTrue(record("abc", in: journal, launch: "p.1", sequence: 1))
    XCTAssertTrue(record("bcd", in: journal, launch: "p.1", sequence: 2))
    XCTAssertEqual(
      describe(journal.events), ["1 a launch p.1 #1", "2 b launch p.1 #2", "3 c launch p.1 #3", "4 d launch p.1 #4"])
  }

  func testAnArrayAroundWhatIsKnownIsRecordedEventByEvent() {
    let journal = Journal(limits: .init())
    XCTAssertTrue(record("c", in: journal, launch: "p.1", sequence: 3))
    XCTAssertTrue(record("e", in: journal, launch: "p.1", sequence: 5))
    XCTAssertTrue(record("abcdef", in: journal, launch: "p.1", sequence: 1))
    XCTAssertEqual(journal.events.map(\.sequence), [3, 5, 1, 2, 4, 6])
    XCTAssertEqual(journal.events.map(\.event.name), ["c", "e", "a", "b", "d", "f"])
    XCTAssertEqual(journal.lostEvents(since: .beginning), [])
  }

  func testTheSameNumberOfAnotherLaunchIsAnotherEvent() {
    let journal = Journal(limits: .init())
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1))
    XCTAssertTrue(record("a", in: journal, launch: "p.2", sequence: 1))
    XCTAssertTrue(record("a", in: journal))
    XCTAssertTrue(record("a", in: journal))
    XCTAssertEqual(describe(journal.events), ["1 a launch p.1 #1", "2 a launch p.2 #1", "3 a", "4 a"])
  }

  func testHolesAreLostEventsUntilTheyAreFilled() {
    let journal = Journal(limits: .init())
    XCTAssertTrue(record("c", in: journal, launch: "p.2", sequence: 3, isOfSession: true))
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1, isOfSession: true))
    XCTAssertTrue(record("f", in: journal, launch: "p.1", sequence: 6, isOfSession: true))
    let first = LostEvents(launch: "p.1", numbers: [2...5], tracked: 6)
    XCTAssertEqual(
      journal.lostEvents(since: .beginning), [first, LostEvents(launch: "p.2", numbers: [1...2], tracked: 3)])
    XCTAssertEqual(first.count, 4)
    XCTAssertTrue(record("bc", in: journal, launch: "p.1", sequence: 2))
    XCTAssertTrue(record("ab", in: journal, launch: "p.2", sequence: 1))
    XCTAssertEqual(journal.lostEvents(since: .beginning), [LostEvents(launch: "p.1", numbers: [4...5], tracked: 6)])
    XCTAssertTrue(record("de", in: journal, launch: "p.1", sequence: 4))
    XCTAssertEqual(journal.lostEvents(since: .beginning), [])
  }

  func testMoreLostEventsThanAnIntegerHoldsAreCountedUpToIt() {
    XCTAssertEqual(LostEvents(launch: "p.1", numbers: [1...(.max - 1)], tracked: .max).count, .max)
    XCTAssertEqual(LostEvents(launch: "p.1", numbers: [2...2, 4...(.max - 2)], tracked: .max).count, .max)
  }

  func testADoubleOfAnotherSessionLosesNothingBeforeItsFirstEventHere() {
    let journal = Journal(limits: .init())
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 41, isOfSession: false))
    XCTAssertTrue(record("c", in: journal, launch: "p.1", sequence: 43, isOfSession: false))
    XCTAssertEqual(journal.lostEvents(since: .beginning), [LostEvents(launch: "p.1", numbers: [42...42], tracked: 43)])
  }

  func testAMarkDividesWhatWasFromWhatIsNew() {
    let journal = Journal(limits: .init())
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 2, isOfSession: true))
    journal.record(rejection("first"))
    XCTAssertEqual(journal.lostEvents(since: .beginning).map(\.numbers), [[1...1]])
    let mark = journal.mark()
    XCTAssertEqual(mark.event, 2)
    XCTAssertEqual(journal.lostEvents(since: mark), [])
    XCTAssertEqual(journal.rejections(since: mark), [])
    XCTAssertTrue(record("b", in: journal, launch: "p.1", sequence: 4))
    journal.record(rejection("second"))
    XCTAssertEqual(journal.events(from: mark.event).map(\.event.name), ["b"])
    XCTAssertEqual(journal.lostEvents(since: mark), [LostEvents(launch: "p.1", numbers: [3...3], tracked: 4)])
    XCTAssertEqual(journal.rejections(since: mark).map(\.reason), ["second"])
    XCTAssertEqual(journal.rejections(since: .beginning).map(\.reason), ["first", "second"])
  }

  func testAResetForgetsWhatCameAndStillKnowsWhatIsSentAgain() {
    let journal = Journal(limits: .init())
    XCTAssertTrue(record("ab", in: journal, launch: "p.1", sequence: 1))
    journal.record(rejection("first"))
    journal.record(request("/a"))
    let before = journal.mark()
    let mark = journal.removeAll()
    XCTAssertEqual(mark, before)
    XCTAssertEqual(journal.events, [])
    XCTAssertEqual(journal.rejections, [])
    XCTAssertEqual(journal.requests, [])
    XCTAssertTrue(record("abc", in: journal, launch: "p.1", sequence: 1))
    journal.record(rejection("second"))
    XCTAssertEqual(describe(journal.events), ["3 c launch p.1 #3"])
    XCTAssertEqual(journal.rejections(since: mark).map(\.reason), ["second"])
    // A mark from before the reset asks for what is forgotten, too, and gets what there is.
    XCTAssertEqual(journal.rejections(since: .beginning).map(\.reason), ["second"])
    XCTAssertEqual(journal.mark().event, 4)
  }

  func testAFullJournalTakesNothingMoreAndSaysSo() {
    let journal = Journal(limits: .init(journalEvents: 3))
    XCTAssertTrue(record("ab", in: journal, launch: "p.1", sequence: 1))
    // An array is taken whole or not at all.
    XCTAssertFalse(record("cd", in: journal, launch: "p.1", sequence: 3))
    XCTAssertEqual(journal.events.map(\.event.name), ["a", "b"])
    XCTAssertEqual(journal.refusedAsFull, 1)
    XCTAssertTrue(record("c", in: journal, launch: "p.1", sequence: 3))
    XCTAssertFalse(record("d", in: journal, launch: "p.1", sequence: 4))
    journal.record(TrackingEvent(name: "d"))
    XCTAssertEqual(journal.rejections.map(\.status), [507])
    XCTAssertEqual(
      journal.rejections.map(\.reason),
      ["the journal is full (3 events or 256 MiB of bodies); reset the verifier"])
    XCTAssertEqual(journal.refusedAsFull, 3)
    // What it refused it does not know: it is no hole, and is taken when there is room again.
    XCTAssertEqual(journal.lostEvents(since: .beginning), [])
    _ = journal.removeAll()
    XCTAssertEqual(journal.refusedAsFull, 0)
    XCTAssertTrue(record("d", in: journal, launch: "p.1", sequence: 4))
    XCTAssertEqual(describe(journal.events), ["4 d launch p.1 #4"])
  }

  func testAFullJournalAcknowledgesWhatItHasAlready() {
    let journal = Journal(limits: .init(journalEvents: 2, journalBodyBytes: 10))
    XCTAssertTrue(record("ab", in: journal, launch: "p.1", sequence: 1, bodySize: 10))
    XCTAssertTrue(record("ab", in: journal, launch: "p.1", sequence: 1, bodySize: 10))
    XCTAssertTrue(record("b", in: journal, launch: "p.1", sequence: 2, bodySize: 10))
    XCTAssertFalse(record("bc", in: journal, launch: "p.1", sequence: 2, bodySize: 10))
    XCTAssertEqual(journal.events.map(\.event.name), ["a", "b"])
  }

  func testBodiesCountTogether() {
    let journal = Journal(limits: .init(journalBodyBytes: 100))
    XCTAssertTrue(record("a", in: journal, bodySize: 60))
    XCTAssertFalse(record("b", in: journal, bodySize: 41))
    journal.record(rejection("big", body: Data(count: 41)))
    journal.record(rejection("small", body: Data(count: 40)))
    XCTAssertFalse(record("b", in: journal, bodySize: 1))
    // A reason is kept when its body is not.
    XCTAssertEqual(journal.rejections.map(\.reason), ["big", "small"])
    XCTAssertEqual(journal.rejections.map(\.body.count), [0, 40])
    XCTAssertEqual(journal.rejections.map(\.bodySize), [41, 40])
    XCTAssertEqual(journal.refusedAsFull, 2)
  }

  func testRejectionsAndRequestsAreBoundedToo() {
    let journal = Journal(limits: .init(journalEvents: 2, journalBodyBytes: 20))
    for index in 0..<4 { journal.record(rejection("\(index)")) }
    XCTAssertEqual(journal.rejections.map(\.reason), ["0", "1"])
    XCTAssertEqual(journal.refusedAsFull, 2)
    for target in ["/1", "/2", "/3"] { journal.record(request(target)) }
    XCTAssertEqual(journal.requests.map(\.target), ["/1", "/2"])
    _ = journal.removeAll()
    journal.record(request("/" + String(repeating: "x", count: 20)))
    XCTAssertEqual(journal.requests, [])
    // Nothing is let go in silence.
    XCTAssertEqual(journal.unkeptRequests, 1)
  }

  func testTheFieldsOfRequestsCountLikeTheirBodies() {
    let journal = Journal(limits: .init(journalBodyBytes: 1_000))
    let fields = HeaderFields(fields: [.init(name: "X", value: String(repeating: "y", count: 400))])
    for path in ["/1", "/2", "/3"] {
      journal.record(
        RecordedRequest(
          StubRequest(method: "GET", path: path, headers: fields), bodySize: 0, connection: 1, exchange: 1, status: 404)
      )
    }
    XCTAssertEqual(journal.requests.map(\.target), ["/1", "/2"])
  }

  func testARejectionReadsAsOneLine() {
    XCTAssertEqual("\(rejection("no"))", "400: no")
    XCTAssertEqual("\(rejection("expected a value", path: "params.price"))", "400: params.price: expected a value")
  }

  // MARK: Waiters

  func testNewsAreGivenAtOnceWhereThereAreSome() {
    let journal = Journal(limits: .init())
    XCTAssertTrue(record("abc", in: journal))
    guard case .entries(let events) = journal.news(from: 2, orWake: { XCTFail("nobody waits") }) else {
      return XCTFail("there are news")
    }
    XCTAssertEqual(events.map(\.event.name), ["b", "c"])
    XCTAssertTrue(record("d", in: journal))
  }

  func testAWaiterIsWokenOnceByTheNextEvent() {
    let journal = Journal(limits: .init())
    let wakings = Locked(0)
    guard case .none(let waiter) = journal.news(from: 1, orWake: { wakings.withLock { $0 += 1 } }) else {
      return XCTFail("there is nothing new yet")
    }
    XCTAssertEqual(wakings.withLock { $0 }, 0)
    XCTAssertTrue(record("ab", in: journal))
    XCTAssertEqual(wakings.withLock { $0 }, 1)
    XCTAssertTrue(record("c", in: journal))
    XCTAssertEqual(wakings.withLock { $0 }, 1)
    XCTAssertFalse(journal.cancel(waiter))
  }

  func testAWaiterIsWokenByARejectionAndNotByARetry() {
    let journal = Journal(limits: .init())
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1))
    let wakings = Locked(0)
    _ = journal.news(from: 2, orWake: { wakings.withLock { $0 += 1 } })
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1))
    XCTAssertTrue(record("", in: journal))
    XCTAssertEqual(wakings.withLock { $0 }, 0)
    journal.record(rejection("no"))
    XCTAssertEqual(wakings.withLock { $0 }, 1)
  }

  func testACancelledWaiterIsNotWoken() {
    let journal = Journal(limits: .init())
    guard case .none(let waiter) = journal.news(from: 1, orWake: { XCTFail("cancelled") }) else {
      return XCTFail("there is nothing new yet")
    }
    XCTAssertTrue(journal.cancel(waiter))
    XCTAssertFalse(journal.cancel(waiter))
    XCTAssertTrue(record("a", in: journal))
  }

  func testAWaiterMayReadAndRegisterAgainWhenItIsWoken() {
    let journal = Journal(limits: .init())
    let seen = Locked<[String]>([])
    Self.follow(journal, from: 1, into: seen)
    XCTAssertTrue(record("ab", in: journal))
    XCTAssertTrue(record("c", in: journal))
    XCTAssertEqual(seen.withLock { $0 }, ["a", "b", "c"])
  }

  func testAWaiterBehindAResetWaitsForTheNextEvent() {
    let journal = Journal(limits: .init())
    XCTAssertTrue(record("abc", in: journal))
    _ = journal.removeAll()
    let wakings = Locked(0)
    guard case .none = journal.news(from: 1, orWake: { wakings.withLock { $0 += 1 } }) else {
      return XCTFail("it was forgotten")
    }
    XCTAssertTrue(record("d", in: journal))
    XCTAssertEqual(wakings.withLock { $0 }, 1)
    guard case .entries(let events) = journal.news(from: 1, orWake: {}) else { return XCTFail("there are news") }
    XCTAssertEqual(events.map(\.event.name), ["d"])
  }

  func testNoEventFallsBetweenLookingAndRegistering() throws {
    let journal = Journal(limits: .init())
    let (writers, readers, eventsOfEach) = (3, 3, 400)
    let total = writers * eventsOfEach
    let sequences = Locked<[[Int]]>([])
    try onThreads(writers + readers) { index in
      if index < writers {
        for number in 1...eventsOfEach {
          _ = journal.record(
            [TrackingEvent(name: "a")], bodySize: 0, from: .init(launch: "p.\(index)", sequence: UInt64(number)))
        }
        return
      }
      var seen: [Int] = []
      let woken = DispatchSemaphore(value: 0)
      while seen.count < total {
        switch journal.news(from: seen.count + 1, orWake: { woken.signal() }) {
        case .entries(let events): seen += events.map(\.number)
        case .none: guard woken.wait(timeout: .now() + RawClient.patience) == .success else { return XCTFail("lost") }
        }
      }
      let numbers = seen
      sequences.withLock { $0.append(numbers) }
    }
    XCTAssertEqual(sequences.withLock { $0 }, Array(repeating: Array(1...total), count: readers))
    XCTAssertEqual(journal.lostEvents(since: .beginning), [])
  }

  func testReadersResetsAndWritersMayRace() throws {
    let journal = Journal(limits: .init())
    let woken = Locked(0)
    try onThreads(4) { index in
      for round in 0..<300 {
        switch index {
        case 0: _ = journal.record([TrackingEvent(name: "a")], bodySize: 1, from: .init())
        case 1: _ = journal.removeAll()
        case 2:
          let mark = journal.mark()
          XCTAssertLessThanOrEqual(journal.events(from: mark.event).count, 300)
          _ = journal.rejections(since: mark)
          _ = journal.lostEvents(since: mark)
        default:
          if case .none(let waiter) = journal.news(from: .max, orWake: { woken.withLock { $0 += 1 } }),
            round.isMultiple(of: 2)
          {
            journal.cancel(waiter)
          }
        }
      }
    }
    XCTAssertEqual(journal.mark().event, 301)
  }

  // MARK: -

  private static func follow(_ journal: Journal, from number: Int, into seen: Locked<[String]>) {
    let news = journal.news(from: number) { [weak journal] in
      guard let journal else { return }
      let events = journal.events(from: number)
      seen.withLock { $0 += events.map(\.event.name) }
      follow(journal, from: number + events.count, into: seen)
    }
    if case .entries = news { XCTFail("read already") }
  }

  /// Records one event for each letter.
  private func record(
    _ names: String, in journal: Journal, launch: String? = nil, sequence: UInt64? = nil, isOfSession: Bool = false,
    connection: Int? = nil, bodySize: Int = 0
  ) -> Bool {
    journal.record(
      names.map { TrackingEvent(name: "\($0)") }, bodySize: bodySize,
      from: .init(connection: connection, launch: launch, sequence: sequence, isOfSession: isOfSession))
  }

  private func describe(_ events: [RecordedEvent]) -> [String] {
    events.map { event in
      "\(event.number) \(event.event.name)" + (event.connection.map { " connection \($0)" } ?? "")
        + (event.launch.map { " launch \($0)" } ?? "") + (event.sequence.map { " #\($0)" } ?? "")
    }
  }

  private func rejection(_ reason: String, path: String? = nil, body: Data = Data()) -> RejectedSubmission {
    RejectedSubmission(
      status: 400, reason: reason, path: path, offset: nil, body: body, bodySize: body.count, arrival: .now,
      connection: nil, launch: nil)
  }

  private func request(_ target: String) -> RecordedRequest {
    RecordedRequest(
      StubRequest(method: "GET", path: target), bodySize: 0, connection: 1, exchange: 1, status: 404, isUnmatched: true)
  }
}
