import Foundation
import Measuring
import TrackerDouble
import TrackingModel
import TrackingServer
import TrackingVerifier
import UnrunTestCase
import XCTest

/// The time from an event's arrival to the return of `wait`, compared with the machine's own floor.
///
/// Each round measures every contestant once, in random order, so that all of them meet the same noise and none always follows the
/// one that lets the machine fall asleep.
@main
enum WaitLatency {
  static func main() {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 500
    // Outside of any task, where blocking waits are refused.
    measureBlocking(rounds: rounds)
    Task {
      await measureAsynchronous(rounds: rounds)
      exit(EXIT_SUCCESS)
    }
    dispatchMain()
  }

  private static func measureBlocking(rounds: Int) {
    let contestants = contestants()
    var samples = Samples()
    for _ in 0..<rounds {
      for contestant in contestants.shuffled() { samples.add(contestant.measure(), of: contestant.subject) }
    }
    samples.write(inOrderOf: contestants.map(\.subject))
  }

  private static func measureAsynchronous(rounds: Int) async {
    let contestants = asynchronousContestants()
    var samples = Samples()
    for _ in 0..<rounds {
      for contestant in contestants.shuffled() { samples.add(await contestant.measure(), of: contestant.subject) }
    }
    samples.write(inOrderOf: contestants.map(\.subject))
  }
}

/// One way of waiting: `measure` gives the microseconds from the event to the return of the wait.
struct Contestant {
  let subject: Subject
  let measure: () -> Double

  init(_ name: String, _ role: Subject.Role, measure: @escaping () -> Double) {
    subject = Subject("wait, from the event to the return", name, role)
    self.measure = measure
  }
}

struct AsynchronousContestant {
  let subject: Subject
  let measure: () async -> Double

  init(_ name: String, _ role: Subject.Role, measure: @escaping () async -> Double) {
    subject = Subject("asynchronous wait, from the event to the return", name, role)
    self.measure = measure
  }
}

/// Runs `act` on a separate thread when the caller has had time to begin its wait, and says when it did.
private func later(_ act: @escaping @Sendable () -> Void) -> @Sendable () -> Double {
  let moment = Moment()
  Thread {
    Thread.sleep(forTimeInterval: 0.002)
    moment.take()
    act()
  }.start()
  return { moment.microsecondsSince }
}

private final class Moment: @unchecked Sendable {
  private let lock = NSLock()
  private var moment = ContinuousClock.now

  func take() { lock.withLock { moment = .now } }

  var microsecondsSince: Double {
    let now = ContinuousClock.now
    return lock.withLock { (now - moment) / .microseconds(1) }
  }
}

private func contestants() -> [Contestant] {
  let testCase = makeTestCase()
  let verifier = TrackingVerifier(with: testCase)
  verifier.start()
  let tracker = verifier.tracker
  let double = TrackerDouble(endpoint: verifier.endpoint)
  let event = TrackingEvent(name: "button_tapped", params: [.screen: "main", .eventName: "b1", "index": 7])
  return [
    Contestant("a bare XCTestExpectation", .floor) {
      let expectation = XCTestExpectation(description: "floor")
      let elapsed = later { expectation.fulfill() }
      _ = XCTWaiter().wait(for: [expectation], timeout: 5)
      return elapsed()
    },
    Contestant("wait(for:), event tracked in process", .ours) {
      verifier.reset()
      let elapsed = later { tracker.trackEvent(event) }
      verifier.wait(for: event)
      return elapsed()
    },
    Contestant("wait(for:), event sent by the double", .ours) {
      verifier.reset()
      let elapsed = later { double.trackEvent(event) }
      verifier.wait(for: event)
      return elapsed()
    },
    Contestant("XCTNSPredicateExpectation", .peer) {
      verifier.reset()
      let elapsed = later { tracker.trackEvent(event) }
      let predicate = NSPredicate { _, _ in verifier.events.contains(event) }
      _ = XCTWaiter().wait(for: [XCTNSPredicateExpectation(predicate: predicate, object: NSObject())], timeout: 5)
      return elapsed()
    },
  ]
}

private func asynchronousContestants() -> [AsynchronousContestant] {
  let verifier = TrackingVerifier(with: makeTestCase())
  let tracker = verifier.tracker
  let event = TrackingEvent(name: "button_tapped", params: [.screen: "main", .eventName: "b1", "index": 7])
  return [
    AsynchronousContestant("a bare continuation", .floor) {
      let elapsed: @Sendable () -> Double = await withCheckedContinuation { continuation in
        let moment = Moment()
        Thread {
          Thread.sleep(forTimeInterval: 0.002)
          moment.take()
          continuation.resume(returning: { moment.microsecondsSince })
        }.start()
      }
      return elapsed()
    },
    AsynchronousContestant("await wait(for:), event tracked in process", .ours) {
      verifier.reset()
      let elapsed = later { tracker.trackEvent(event) }
      await verifier.wait(for: event)
      return elapsed()
    },
  ]
}
