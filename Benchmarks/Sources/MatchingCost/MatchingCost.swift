import Foundation
import Measuring
import TrackingModel
import TrackingServer
import TrackingVerifier
import UnrunTestCase
import XCTest

/// The cost of matching events: waits that find much in the journal, further events while waits are open, and events for many patterns.
///
/// Each round measures every contestant once, in random order. Figures are the CPU time of the process, which says less about the
/// machine's other work than the clock does.
@main
enum MatchingCost {
  static func main() async {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9
    await measure(waits() + assignments(), rounds: rounds, unit: "ms", .milliseconds(1))
    await measure([0, 1, 10, 100].map(furtherEvents), rounds: rounds, unit: "µs", .microseconds(1))
  }

  private static func measure(
    _ contestants: [Contestant], rounds: Int, unit: String, _ one: Duration
  ) async {
    func subject(of contestant: Contestant) -> Subject {
      Subject(contestant.name, "TrackingVerifier", .ours, unit: unit)
    }
    var samples = Samples()
    for _ in 0..<rounds {
      for contestant in contestants.shuffled() {
        samples.add(await contestant.measure() / one, of: subject(of: contestant))
      }
    }
    samples.write(inOrderOf: contestants.map(subject))
  }
}

/// Something to be measured: `measure` gives the CPU time of one of it.
struct Contestant {
  let name: String
  let measure: () async -> Duration
}

private func cpuTime(of body: () async -> Void) async -> Duration {
  let began = cpuTime()
  await body()
  return cpuTime() - began
}

/// Ends the program if a check fails, because then something else was measured.
private struct FatalReporter: FailureReporter {
  func report(_ failure: CheckFailure) { fatalError(failure.message) }
}

/// A verifier in whose journal so many events are.
private func verifier(with events: [TrackingEvent]) -> TrackingVerifier {
  var configuration = TrackingVerifier.Configuration(
    timeout: 0, settling: 0, keepsJournal: .never, reporter: FatalReporter())
  configuration.server.limits.journalEvents = 1_000_000
  let verifier = TrackingVerifier(with: makeTestCase(), configuration: configuration)
  let tracker = verifier.tracker
  for event in events { tracker.trackEvent(event) }
  return verifier
}

// MARK: - Waits that begin on a journal of 100,000 events

private func waits() -> [Contestant] {
  let shown = (1...100_000).map { index in
    TrackingEvent(name: "screen_shown", params: ["index": .int(index), "screen": "main", "items": ["a", "b"]])
  }
  let verifier = verifier(with: shown + [TrackingEvent(name: "last")])
  func wait(_ name: String, for pattern: EventPattern) -> Contestant {
    Contestant(name: "100,000 events, the last is it: \(name)") {
      await cpuTime { await verifier.wait(for: .init(pattern)) }
    }
  }
  return [
    wait("others have other names", for: .equal(to: TrackingEvent(name: "last"))),
    wait("all have its name", for: .equal(to: shown[99_999])),
    wait("a closure", for: .satisfying("the last") { event in event.name == "last" }),
  ]
}

// MARK: - 200 patterns, in any order, of 10,000 events; where one is missing, the failure's text is part of it

private func assignments() -> [Contestant] {
  let verifier = verifier(with: (0..<10_000).map { TrackingEvent(name: "n\($0 % 400)", params: ["i": .int($0)]) })
  func assignment(_ name: String, isComplete: Bool = true, _ patterns: [EventPattern]) -> Contestant {
    Contestant(name: "200 patterns, 10,000 events: \(name)") {
      await cpuTime {
        let outcome = await verifier.outcome(of: .inAnyOrder(patterns.map { EntryPattern($0) }))
        precondition(outcome.passed == isComplete)
      }
    }
  }
  return [
    assignment("by name", (200..<400).map { .named("n\($0)") }),
    // Each pattern fits what the next one fits and more, so that the last needs what all others took.
    assignment("each fits more than the next", patterns { $1 >= $0 * 50 }),
    assignment("all fit all but the last", isComplete: false, patterns { pattern, _ in pattern < 199 }),
    // Each event fits two patterns at most, scattered, and none fits the last: never complete, so that every event is tried.
    assignment(
      "few fit, and none the last", isComplete: false,
      patterns { $1 * 7_919 % 199 == $0 || $1 * 104_729 % 199 == $0 }),
  ]
}

/// 200 patterns: whether one fits depends on its number and on the event's.
private func patterns(_ fits: @escaping @Sendable (_ pattern: Int, _ event: Int) -> Bool) -> [EventPattern] {
  (0..<200).map { pattern in
    .satisfying("\(pattern)") { event in
      if case .int(let index)? = event.params["i"] { fits(pattern, index) } else { false }
    }
  }
}

// MARK: - Further events

/// One further event while so many waits are open that do not ask for it, those waits' work included.
private func furtherEvents(open: Int) -> Contestant {
  Contestant(name: "a further event, open waits: \(open)") {
    let verifier = verifier(with: [])
    let tracker = verifier.tracker
    let events = 20_000
    return await withTaskGroup(of: Void.self, returning: Duration.self) { group in
      for _ in 0..<open { group.addTask { await verifier.wait(for: .named("end"), timeout: 600) } }
      // The first event is there only when all waits are.
      try? await Task.sleep(for: .milliseconds(50))
      let began = cpuTime()
      for index in 0..<events { tracker.trackEvent(TrackingEvent(name: "scrolled", params: ["i": .int(index)])) }
      tracker.trackEvent(TrackingEvent(name: "end"))
      await group.waitForAll()
      return (cpuTime() - began) / events
    }
  }
}
