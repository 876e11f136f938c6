import Foundation
import TrackerDouble
import TrackingModel
import TrackingServer
import TrackingVerifier
import UnrunTestCase
import XCTest

/// How long it takes from an event's arrival to the return of `wait`, beside the machine's own floor.
///
/// Each round measures every contestant once, in an order of its own, so that all of them meet the same noise and none always follows the
/// one that lets the machine fall asleep. Figures are microseconds.
@main
enum WaitLatency {
  static func main() {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 500
    print("contestant                                   median µs    p99 µs   ratio to its floor")
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
    var samples: [String: [Double]] = [:]
    for _ in 0..<rounds {
      for contestant in contestants.shuffled() { samples[contestant.name, default: []].append(contestant.measure()) }
    }
    show(contestants.map(\.name), samples)
  }

  private static func measureAsynchronous(rounds: Int) async {
    let contestants = asynchronousContestants()
    var samples: [String: [Double]] = [:]
    for _ in 0..<rounds {
      for contestant in contestants.shuffled() {
        samples[contestant.name, default: []].append(await contestant.measure())
      }
    }
    show(contestants.map(\.name), samples)
  }

  private static func show(_ names: [String], _ samples: [String: [Double]]) {
    let floor = names.first.flatMap { samples[$0] }.map { quantile(0.5, of: $0) } ?? .nan
    for name in names {
      let values = samples[name] ?? []
      let median = quantile(0.5, of: values)
      let columns = [median, quantile(0.99, of: values), median / floor].map { String(format: "%10.2f", $0) }
      print(name.padding(toLength: 44, withPad: " ", startingAt: 0) + columns.joined())
    }
  }

  private static func quantile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
  }
}

/// One way of waiting: `measure` gives the time from the event to the return of the wait.
struct Contestant {
  let name: String
  let measure: () -> Double
}

struct AsynchronousContestant {
  let name: String
  let measure: () async -> Double
}

/// Runs `act` on a thread of its own when the caller has had time to begin its wait, and says when it did.
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
    Contestant(name: "XCTestExpectation fulfilled by a thread") {
      let expectation = XCTestExpectation(description: "floor")
      let elapsed = later { expectation.fulfill() }
      _ = XCTWaiter().wait(for: [expectation], timeout: 5)
      return elapsed()
    },
    Contestant(name: "verifier.wait, event appended by a thread") {
      verifier.reset()
      let elapsed = later { tracker.trackEvent(event) }
      verifier.wait(for: event)
      return elapsed()
    },
    Contestant(name: "verifier.wait, event over the double") {
      verifier.reset()
      let elapsed = later { double.trackEvent(event) }
      verifier.wait(for: event)
      return elapsed()
    },
    Contestant(name: "XCTNSPredicateExpectation") {
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
    AsynchronousContestant(name: "bare continuation resumed by a thread") {
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
    AsynchronousContestant(name: "await verifier.wait, event appended by a thread") {
      verifier.reset()
      let elapsed = later { tracker.trackEvent(event) }
      await verifier.wait(for: event)
      return elapsed()
    },
  ]
}
