import TestSupport
import TrackingSockets

@testable import TrackingServer

final class JournalTests: ServerTestCase {
  func testEventsAreNumberedInTheOrderOfArrivalAndSayWhereTheyCameFrom() {
    let journal = TrackingJournal(limits: .init())
    let before = ContinuousClock.now
    XCTAssertTrue(record("ab", in: journal, launch: "p.1", sequence: 1, connection: 3))
    journal.record(TrackingEvent(name: "c"))
    XCTAssertEqual(
      describe(journal.events), ["1 a connection 3 launch p.1 #1", "2 b connection 3 launch p.1 #2", "3 c"])
    XCTAssertTrue(journal.events.allSatisfy { $0.arrival >= before && $0.arrival <= .now })
    XCTAssertEqual(journal.events(from: 3).map(\.event.name), ["c"])
  }

  func testTheArrivalOfAnEntryIsTakenUnderTheLock() {
    // Between the first reading of the clock and its entry another thread tries to get in front.
    let overtaking = Locked<(@Sendable () -> Void)?>(nil)
    let journal = TrackingJournal(
      limits: .init(),
      now: {
        let now = ContinuousClock.now
        overtaking.withLock { act in
          defer { act = nil }
          return act
        }?()
        return now
      })
    let isRecorded = DispatchSemaphore(value: 0)
    overtaking.withLock {
      $0 = {
        Thread.detachNewThread {
          journal.record(TrackingEvent(name: "b"))
          isRecorded.signal()
        }
        if isRecorded.wait(timeout: .now() + 0.05) == .success { isRecorded.signal() }
      }
    }
    journal.record(TrackingEvent(name: "a"))
    isRecorded.wait()
    XCTAssertEqual(journal.events.map(\.event.name), ["a", "b"])
    XCTAssertTrue(zip(journal.events, journal.events.dropFirst()).allSatisfy { $0.arrival <= $1.arrival })
  }

  func testWhatIsSentAgainIsAcknowledgedAndRecordedOnce() {
    let journal = TrackingJournal(limits: .init())
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1))
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1))
    XCTAssertTrue(record("abc", in: journal, launch: "p.1", sequence: 1))
    XCTAssertTrue(record("bcd", in: journal, launch: "p.1", sequence: 2))
    XCTAssertEqual(
      describe(journal.events), ["1 a launch p.1 #1", "2 b launch p.1 #2", "3 c launch p.1 #3", "4 d launch p.1 #4"])
  }

  func testAnArrayAroundWhatIsKnownIsRecordedEventByEvent() {
    let journal = TrackingJournal(limits: .init())
    XCTAssertTrue(record("c", in: journal, launch: "p.1", sequence: 3))
    XCTAssertTrue(record("e", in: journal, launch: "p.1", sequence: 5))
    XCTAssertTrue(record("abcdef", in: journal, launch: "p.1", sequence: 1))
    XCTAssertEqual(journal.events.map(\.sequence), [3, 5, 1, 2, 4, 6])
    XCTAssertEqual(journal.events.map(\.event.name), ["c", "e", "a", "b", "d", "f"])
    XCTAssertEqual(journal.lostEvents(since: .beginning), [])
  }

  func testTheSameNumberOfAnotherLaunchIsAnotherEvent() {
    let journal = TrackingJournal(limits: .init())
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1))
    XCTAssertTrue(record("a", in: journal, launch: "p.2", sequence: 1))
    XCTAssertTrue(record("a", in: journal))
    XCTAssertTrue(record("a", in: journal))
    XCTAssertEqual(describe(journal.events), ["1 a launch p.1 #1", "2 a launch p.2 #1", "3 a", "4 a"])
  }

  func testHolesAreLostEventsUntilTheyAreFilled() {
    let journal = TrackingJournal(limits: .init())
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
    let journal = TrackingJournal(limits: .init())
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 41, isOfSession: false))
    XCTAssertTrue(record("c", in: journal, launch: "p.1", sequence: 43, isOfSession: false))
    XCTAssertEqual(journal.lostEvents(since: .beginning), [LostEvents(launch: "p.1", numbers: [42...42], tracked: 43)])
  }

  func testAMarkDividesWhatWasFromWhatIsNew() {
    let journal = TrackingJournal(limits: .init())
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 2, isOfSession: true))
    journal.record(rejection("first"))
    XCTAssertEqual(journal.lostEvents(since: .beginning).map(\.numbers), [[1...1]])
    let mark = journal.mark()
    XCTAssertEqual(mark.entry, 3)
    XCTAssertEqual(journal.lostEvents(since: mark), [])
    XCTAssertEqual(journal.rejections(since: mark), [])
    XCTAssertTrue(record("b", in: journal, launch: "p.1", sequence: 4))
    journal.record(rejection("second"))
    XCTAssertEqual(journal.events(from: mark.entry).map(\.event.name), ["b"])
    XCTAssertEqual(journal.lostEvents(since: mark), [LostEvents(launch: "p.1", numbers: [3...3], tracked: 4)])
    XCTAssertEqual(journal.rejections(since: mark).map(\.reason), ["second"])
    XCTAssertEqual(journal.rejections(since: .beginning).map(\.reason), ["first", "second"])
  }

  func testAResetForgetsWhatCameAndStillKnowsWhatIsSentAgain() {
    let journal = TrackingJournal(limits: .init())
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
    XCTAssertEqual(describe(journal.events), ["5 c launch p.1 #3"])
    XCTAssertEqual(journal.rejections(since: mark).map(\.reason), ["second"])
    // A mark from before the reset covers what is forgotten, too, and gets what there is.
    XCTAssertEqual(journal.rejections(since: .beginning).map(\.reason), ["second"])
    XCTAssertEqual(journal.mark().entry, 7)
  }

  func testAFullJournalTakesNothingMoreAndSaysSo() {
    let journal = TrackingJournal(limits: .init(journalEvents: 3))
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
    // The journal doesn't know a refused event: it isn't a hole, and is recorded when there is room again.
    XCTAssertEqual(journal.lostEvents(since: .beginning), [])
    _ = journal.removeAll()
    XCTAssertEqual(journal.refusedAsFull, 0)
    XCTAssertTrue(record("d", in: journal, launch: "p.1", sequence: 4))
    XCTAssertEqual(describe(journal.events), ["5 d launch p.1 #4"])
  }

  func testAFullJournalAcknowledgesWhatItHasAlready() {
    let journal = TrackingJournal(limits: .init(journalEvents: 2, journalBodyBytes: 10))
    XCTAssertTrue(record("ab", in: journal, launch: "p.1", sequence: 1, bodySize: 10))
    XCTAssertTrue(record("ab", in: journal, launch: "p.1", sequence: 1, bodySize: 10))
    XCTAssertTrue(record("b", in: journal, launch: "p.1", sequence: 2, bodySize: 10))
    XCTAssertFalse(record("bc", in: journal, launch: "p.1", sequence: 2, bodySize: 10))
    XCTAssertEqual(journal.events.map(\.event.name), ["a", "b"])
  }

  func testAFullJournalAcknowledgesWhatAnSDKDeliversAgain() {
    let journal = TrackingJournal(limits: .init(journalEvents: 2))
    func deliver(_ ids: String) -> Bool {
      let events = ids.map { id in
        var event = TrackingEvent(name: "a")
        event.origin = SDKOrigin(format: "Segment", kind: "track", id: "\(id)")
        return event
      }
      return journal.record(
        events, bodySize: 0, from: .init(connection: nil, launch: nil, sequence: nil, isOfSession: false))
    }
    XCTAssertTrue(deliver("1"))
    XCTAssertTrue(deliver("12"))
    XCTAssertTrue(deliver("12"))
    XCTAssertFalse(deliver("23"))
    XCTAssertEqual(journal.events.compactMap(\.event.origin?.id), ["1", "2"])
  }

  func testBodiesCountTogether() {
    let journal = TrackingJournal(limits: .init(journalBodyBytes: 100))
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
    let journal = TrackingJournal(limits: .init(journalEvents: 2, journalBodyBytes: 20))
    for index in 0..<4 { journal.record(rejection("\(index)")) }
    XCTAssertEqual(journal.rejections.map(\.reason), ["0", "1"])
    XCTAssertEqual(journal.refusedAsFull, 2)
    for target in ["/1", "/2", "/3"] { journal.record(request(target)) }
    XCTAssertEqual(journal.requests.map(\.target), ["/1", "/2"])
    _ = journal.removeAll()
    XCTAssertNil(journal.record(request("/" + String(repeating: "x", count: 20))))
    XCTAssertEqual(journal.requests, [])
    // Nothing is let go in silence.
    XCTAssertEqual(journal.unkeptRequests, 1)
  }

  func testTheFieldsOfRequestsCountLikeTheirBodies() {
    let journal = TrackingJournal(limits: .init(journalBodyBytes: 2_000))
    let fields = MessageHeaders(fields: [("X", String(repeating: "y", count: 400))])
    for path in ["/1", "/2", "/3"] {
      journal.record(
        RecordedRequest(
          ReceivedRequest(method: "GET", path: path, headers: fields), connection: 1, exchange: 1))
    }
    XCTAssertEqual(journal.requests.map(\.target), ["/1", "/2"])
  }

  func testARejectionReadsAsOneLine() {
    XCTAssertEqual("\(rejection("no"))", "400: no")
    XCTAssertEqual("\(rejection("expected a value", path: "params.price"))", "400: params.price: expected a value")
  }

  // MARK: One timeline

  func testEventsRequestsAndRejectionsShareOneNumbering() {
    let journal = TrackingJournal(limits: .init())
    XCTAssertTrue(record("a", in: journal))
    XCTAssertEqual(journal.record(request("/orders")), 2)
    journal.record(rejection("no"))
    XCTAssertTrue(record("b", in: journal))
    XCTAssertEqual(journal.entries(from: 1).map(\.number), [1, 2, 3, 4])
    XCTAssertEqual(journal.events.map(\.number), [1, 4])
    XCTAssertEqual(journal.requests.map(\.number), [2])
    XCTAssertEqual(journal.rejections.map(\.number), [3])
  }

  func testNoEntryArrivesBeforeTheOneInFrontOfIt() throws {
    let journal = TrackingJournal(limits: .init())
    let (request, rejection) = (request("/a"), rejection("no"))
    try onThreads(4) { index in
      for _ in 0..<500 {
        switch index {
        case 0: journal.record(request)
        case 1: journal.record(rejection)
        default: journal.record(TrackingEvent(name: "a"))
        }
      }
    }
    let arrivals = journal.entries(from: 1).map(\.arrival)
    XCTAssertEqual(arrivals.count, 2_000)
    XCTAssertTrue(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 <= $1 })
  }

  func testAResponseIsAddedToItsRequestLater() throws {
    let journal = TrackingJournal(limits: .init())
    let number = try XCTUnwrap(journal.record(request("/slow", response: nil)))
    XCTAssertTrue(record("a", in: journal))
    XCTAssertEqual(journal.requests.map(\.description), ["GET /slow, no response yet"])
    let copy = journal.requests
    journal.complete(number, with: RecordedResponse(status: 201))
    XCTAssertEqual(journal.requests.map(\.description), ["GET /slow -> 201"])
    XCTAssertEqual(journal.requests.map(\.number), [number])
    XCTAssertEqual(copy.map(\.hasResponse), [false])
    // An event has no response, and neither has what was removed.
    journal.complete(number + 1, with: RecordedResponse(status: 500))
    _ = journal.removeAll()
    journal.complete(number, with: RecordedResponse(status: 500))
    journal.complete(nil, with: RecordedResponse(status: 500))
    XCTAssertEqual(journal.revision, 1)
  }

  func testASubmissionThatAFullJournalRefusesIsCountedOnce() {
    let journal = TrackingJournal(limits: .init(journalEvents: 0))
    journal.record(TrackingEvent(name: "a"))
    XCTAssertEqual(journal.refusedAsFull, 1)
    XCTAssertEqual(journal.rejections, [])
  }

  func testRequestsLeaveRoomForEvents() {
    let journal = TrackingJournal(limits: .init(journalBodyBytes: 100))
    for _ in 0..<20 { journal.record(request("/12345")) }
    XCTAssertEqual(journal.requests.count, 5)
    XCTAssertEqual(journal.unkeptRequests, 15)
    XCTAssertTrue(record("a", in: journal, bodySize: 50))
  }

  func testAnAppThatHasClosedItsConnectionIsKnown() {
    let journal = TrackingJournal(limits: .init())
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1, connection: 1))
    XCTAssertTrue(record("a", in: journal, launch: "q.1", sequence: 1, connection: 2))
    journal.recordEnd(ofConnection: 1)
    XCTAssertNil(journal.lastConnectionClosed)
    journal.recordEnd(ofConnection: 2)
    XCTAssertNotNil(journal.lastConnectionClosed)
    // It has connected again.
    XCTAssertTrue(record("b", in: journal, launch: "q.1", sequence: 2, connection: 3))
    XCTAssertNil(journal.lastConnectionClosed)
  }

  func testAHelloIsNoEntryAndItsLaunchIsSilentUntilItSends() {
    let journal = TrackingJournal(limits: .init())
    journal.noteHello(of: "p.1", connection: 1)
    journal.noteHello(of: "q.1", connection: nil)
    XCTAssertEqual(journal.silentLaunches(since: .beginning).map(\.launch), ["p.1", "q.1"])
    XCTAssertEqual(journal.entries(from: 1).count, 0)
    journal.recordEnd(ofConnection: 1)
    XCTAssertEqual(journal.silentLaunches(since: .beginning).map { $0.closed != nil }, [true, false])
    XCTAssertTrue(record("a", in: journal, launch: "p.1", sequence: 1, connection: 2))
    XCTAssertEqual(journal.silentLaunches(since: .beginning).map(\.launch), ["q.1"])
    XCTAssertEqual(journal.silentLaunches(since: journal.mark()), [])
    XCTAssertEqual(journal.lostEvents(since: .beginning), [])
    XCTAssertNil(journal.lastConnectionClosed)
  }

  // MARK: Waiters

  func testAnEntryWakesOnlyTheWaitersThatItConcerns() {
    let journal = TrackingJournal(limits: .init())
    let woken = Locked<[String]>([])
    let interests: [(String, JournalInterest)] = [
      ("a", JournalInterest(eventNames: ["a"])), ("any", JournalInterest(eventNames: nil)),
      ("requests", JournalInterest(requests: true)), ("revisions", JournalInterest(revisions: true)),
      ("rejections", JournalInterest(rejections: true)),
    ]
    func wait(_ record: () -> Void) -> [String] {
      let waiters = interests.compactMap { name, interest -> TrackingJournal.WaiterID? in
        let news = journal.news(from: .max, of: interest) { woken.withLock { $0.append(name) } }
        return if case .none(let waiter) = news { waiter } else { nil }
      }
      record()
      for waiter in waiters { journal.cancel(waiter) }
      return woken.withLock { woken in
        defer { woken = [] }
        return woken
      }
    }
    XCTAssertEqual(wait { journal.record(TrackingEvent(name: "a")) }, ["a", "any"])
    XCTAssertEqual(wait { journal.record(TrackingEvent(name: "b")) }, ["any"])
    XCTAssertEqual(wait { journal.record(request("/slow", response: nil)) }, ["requests"])
    XCTAssertEqual(wait { journal.complete(3, with: RecordedResponse(status: 200)) }, ["revisions"])
    XCTAssertEqual(wait { journal.record(rejection("no")) }, ["rejections"])
  }

  func testManyWaitersDoNotHoldUpTheThreadThatRecords() {
    let journal = TrackingJournal(limits: .init())
    let recorder = ObjectIdentifier(Thread.current)
    let woken = expectation(description: "all are woken")
    woken.expectedFulfillmentCount = 50
    for _ in 0..<50 {
      _ = journal.news(from: 1) {
        XCTAssertNotEqual(ObjectIdentifier(Thread.current), recorder)
        woken.fulfill()
      }
    }
    journal.record(TrackingEvent(name: "a"))
    wait(for: [woken], timeout: RawClient.patience)
  }

  func testAResponseIsNewsToThoseWhoReadResponses() throws {
    let journal = TrackingJournal(limits: .init())
    let number = try XCTUnwrap(journal.record(request("/slow", response: nil)))
    guard case .none = journal.news(from: 2, revision: 0, orWake: {}) else { return XCTFail("there is no news") }
    journal.complete(number, with: RecordedResponse(status: 200))
    guard case .revised(1) = journal.news(from: 2, revision: 0, orWake: {}) else {
      return XCTFail("there is a response")
    }
    guard case .none = journal.news(from: 2, revision: 1, orWake: {}) else { return XCTFail("it has been seen") }
  }

  func testNewsAreGivenAtOnceWhereThereAreSome() {
    let journal = TrackingJournal(limits: .init())
    XCTAssertTrue(record("abc", in: journal))
    guard case .entries(let entries) = journal.news(from: 2, orWake: { XCTFail("no one waits") }) else {
      return XCTFail("there are news")
    }
    XCTAssertEqual(entries.map { $0.event?.event.name }, ["b", "c"])
    XCTAssertTrue(record("d", in: journal))
  }

  func testAWaiterIsWokenOnceByTheNextEvent() {
    let journal = TrackingJournal(limits: .init())
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
    let journal = TrackingJournal(limits: .init())
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
    let journal = TrackingJournal(limits: .init())
    guard case .none(let waiter) = journal.news(from: 1, orWake: { XCTFail("cancelled") }) else {
      return XCTFail("there is nothing new yet")
    }
    XCTAssertTrue(journal.cancel(waiter))
    XCTAssertFalse(journal.cancel(waiter))
    XCTAssertTrue(record("a", in: journal))
  }

  func testAWaiterMayReadAndRegisterAgainWhenItIsWoken() {
    let journal = TrackingJournal(limits: .init())
    let seen = Locked<[String]>([])
    Self.follow(journal, from: 1, into: seen)
    XCTAssertTrue(record("ab", in: journal))
    XCTAssertTrue(record("c", in: journal))
    XCTAssertEqual(seen.withLock { $0 }, ["a", "b", "c"])
  }

  func testAWaiterBehindAResetWaitsForTheNextEvent() {
    let journal = TrackingJournal(limits: .init())
    XCTAssertTrue(record("abc", in: journal))
    _ = journal.removeAll()
    let wakings = Locked(0)
    guard case .none = journal.news(from: 1, orWake: { wakings.withLock { $0 += 1 } }) else {
      return XCTFail("it was forgotten")
    }
    XCTAssertTrue(record("d", in: journal))
    XCTAssertEqual(wakings.withLock { $0 }, 1)
    guard case .entries(let entries) = journal.news(from: 1, orWake: {}) else { return XCTFail("there are news") }
    XCTAssertEqual(entries.map { $0.event?.event.name }, ["d"])
  }

  func testNoEventFallsBetweenLookingAndRegistering() throws {
    let journal = TrackingJournal(limits: .init())
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
        case .entries(let entries): seen += entries.map(\.number)
        case .revised: XCTFail("there are no requests")
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
    let journal = TrackingJournal(limits: .init())
    let woken = Locked(0)
    try onThreads(4) { index in
      for round in 0..<300 {
        switch index {
        case 0: _ = journal.record([TrackingEvent(name: "a")], bodySize: 1, from: .init())
        case 1: _ = journal.removeAll()
        case 2:
          let mark = journal.mark()
          XCTAssertLessThanOrEqual(journal.events(from: mark.entry).count, 300)
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
    XCTAssertEqual(journal.mark().entry, 301)
  }

  // MARK: -

  private static func follow(_ journal: TrackingJournal, from number: Int, into seen: Locked<[String]>) {
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
    _ names: String, in journal: TrackingJournal, launch: String? = nil, sequence: UInt64? = nil,
    isOfSession: Bool = false,
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
      status: 400, reason: reason, path: path, offset: nil, body: body, bodySize: body.count, connection: nil,
      launch: nil)
  }

  private func request(_ target: String, response: RecordedResponse? = RecordedResponse(status: 404, isUnmatched: true))
    -> RecordedRequest
  {
    RecordedRequest(ReceivedRequest(method: "GET", path: target), connection: 1, exchange: 1, response: response)
  }
}
