import TrackingAudit
import TrackingModel
import Testing
import TestSupport
import TrackingSockets
import TrackingVerifier

@testable import TrackingTesting

struct TrackingScopeTests {
  private let test: Test
  private let seats = ServerSeats(limit: 1, patience: .seconds(600))
  private let reporter = RecordingReporter()

  init() throws {
    test = try #require(Test.current)
  }

  @Test("the server ends with the test")
  func theServerEndsWithTheTest() async throws {
    let scope = TrackingScope(of: test, .init(), seats: seats)
    try await scope.perform { [seats] in
      _ = scope.verifier.endpoint
      #expect(scope.verifier.isReachable)
      #expect(seats.taken == 1)
    }
    #expect(!scope.verifier.isReachable)
    #expect(seats.taken == 0)
  }

  @Test(
    "a test that tracks in its own process returns its seat, and gets one if it needs a server later")
  func anInProcessTestNeedsNoSeat() async throws {
    let scope = TrackingScope(of: test, .init(), seats: seats)
    try await scope.perform { [seats] in
      #expect(seats.taken == 1)
      scope.verifier.tracker.trackEvent(.tapped)
      #expect(seats.taken == 0)
      await seats.take()
      #expect(scope.verifier.endpoint.session != nil)
      #expect(seats.taken == 2)
    }
    #expect(seats.taken == 1)
  }

  @Test("a test whose only failures are known issues has passed, so it has mutants")
  func aKnownIssue() async throws {
    for isKnown in [true, false] {
      let configuration = TrackingVerifier.Configuration(
        timeout: 0, reporter: isKnown ? TestingReporter() : RecordingReporter())
      let scope = TrackingScope(of: test, changed(configuration) { $0.mutations = .always }, seats: seats)
      try await scope.perform {
        scope.verifier.tracker.trackEvent(.tapped)
        await withKnownIssue(isIntermittent: true) { await scope.verifier.wait(for: .named("never")) }
      }
      #expect((scope.verifier.mutants != nil) == isKnown)
    }
  }

  @Test("a test that threw has failed, so it has no mutants")
  func aTestThatThrew() async throws {
    struct Failure: Error {}
    for error in [nil, Failure()] {
      let scope = TrackingScope(
        of: test, changed(TrackingVerifier.Configuration(reporter: reporter)) { $0.mutations = .always }, seats: seats)
      try? await scope.perform {
        scope.verifier.tracker.trackEvent(.tapped)
        if let error { throw error }
      }
      #expect((scope.verifier.mutants == nil) == (error != nil))
    }
  }

  @Test("a test that was cancelled has not failed, unless it threw the error of a task whose time has run out")
  func aTestThatWasCancelled() async throws {
    struct Skip: Error {}
    let configuration = changed(TrackingVerifier.Configuration(reporter: reporter)) { $0.mutations = .always }
    for error: any Error in [Skip(), CancellationError()] {
      let scope = TrackingScope(of: test, configuration, seats: seats)
      let execution = Task {
        try await scope.perform {
          scope.verifier.tracker.trackEvent(.tapped)
          withUnsafeCurrentTask { $0?.cancel() }
          throw error
        }
      }
      await #expect(throws: (any Error).self) { try await execution.value }
      #expect((scope.verifier.mutants == nil) == (error is CancellationError))
    }
  }

  @Test("after the test its endpoint starts no server")
  func noServerOutlivesTheTest() async throws {
    let scope = TrackingScope(of: test, .init(reporter: reporter), seats: seats)
    try await scope.perform {}
    #expect(scope.verifier.launchEnvironment == ["TRACKING_URL": "http://127.0.0.1:1"])
    _ = scope.verifier.endpoint
    #expect(
      reporter.sentences.map { $0.replacing(/the test \S+,/, with: "the test T,") } == [
        "This verifier belongs to the test T, which has ended Make a verifier for each test, and await its tasks before the test returns. Its server does not start."
      ])
    #expect(seats.taken == 0)
  }

  @Test("a server that cannot start fails the test once, with the cause")
  func aServerThatCannotStart() async throws {
    let first = TrackingScope(of: test, .init(), seats: seats)
    try await first.perform { [test, seats, reporter] in
      let port = try #require(first.verifier.endpoint.url.port.flatMap(UInt16.init(exactly:)))
      let second = TrackingScope(
        of: test, .init(server: .init(port: port), reporter: reporter), seats: ServerSeats(limit: 1, patience: .zero))
      try await second.perform {
        #expect(second.verifier.launchEnvironment == ["TRACKING_URL": "http://127.0.0.1:1"])
        #expect(second.verifier.launchArguments == ["-TrackingURL", "http://127.0.0.1:1"])
      }
      #expect(reporter.failures.count == 1)
      #expect(reporter.failures.first?.kind == .notStarted)
      #expect(
        reporter.failures.first?.message.hasPrefix(
          "The tracking verifier could not start: port \(port) is already in use") == true)
      #expect(seats.taken == 1)
    }
  }

  @Test("the error of a recorded requirement ends the test and is not reported again")
  func aRecordedRequirementIsNotThrownOn() async throws {
    let scope = TrackingScope(of: test, .init(timeout: 0), seats: seats)
    let isReached = Locked(false)
    let issues = await issues {
      try await scope.perform {
        try await scope.verifier.require(.equal(to: .tapped))
        isReached.withLock { $0 = true }
      }
    }
    #expect(issues.count == 1)
    #expect(!isReached.withLock { $0 })
  }

  @Test("with a custom reporter the error of a requirement is rethrown, as is every other error")
  func otherErrorsAreThrownOn() async throws {
    let scope = TrackingScope(of: test, .init(timeout: 0, reporter: reporter), seats: seats)
    // Outside of the macro, in whose expansion every `#line` is that of the macro.
    let (require, line): (@Sendable () async throws -> Void, UInt) =
      ({ try await scope.verifier.require(.equal(to: .tapped)) }, #line)
    let failure = await #expect(throws: RequirementFailure.self) { try await scope.perform(require) }
    #expect(failure?.location.line == line)
    #expect(
      failure?.description == """
        the requirement at TrackingTestingTests/TrackingScopeTests.swift:\(line) was not met; the failure reported there \
        says why
        """)
    #expect(reporter.failures.map(\.location.line) == [line])
    #expect(seats.taken == 0)

    await #expect(throws: CancellationError.self) {
      try await TrackingScope(of: test, .init(), seats: seats).perform { throw CancellationError() }
    }
    #expect(seats.taken == 0)
  }

  @Test("a reporter that wraps the one of Swift Testing fails the test once")
  func aWrappedReporter() async throws {
    struct Wrapper: FailureReporter {
      let messages = Locked<[String]>([])
      let wrapped = TestingReporter()

      func report(_ failure: CheckFailure) {
        messages.withLock { $0.append(failure.message) }
        wrapped.report(failure)
      }
    }
    let wrapper = Wrapper()
    let scope = TrackingScope(of: test, .init(timeout: 0, reporter: wrapper), seats: seats)
    let issues = await issues {
      try await scope.perform { try await scope.verifier.require(.equal(to: .tapped)) }
    }
    #expect(issues.count == 1)
    #expect(issues.map(\.message) == wrapper.messages.withLock { $0 })
  }

  @Test("a failure from a detached task is recorded on the test, at its line, when it ends")
  func aFailureFromADetachedTask() async throws {
    let scope = TrackingScope(of: test, .init(timeout: 0), seats: seats)
    let (wait, line): (@Sendable () async -> Void, Int) = ({ await scope.verifier.wait(for: .tapped) }, #line)
    let issues = await issues {
      try await scope.perform { await Task.detached(operation: wait).value }
    }
    #expect(issues.map(\.sourceLocation?.line) == [line])
  }
}
