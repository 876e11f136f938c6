import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer
import TrackingVerifier

extension TrackingVerifier {
  /// Compares the events since the beginning or a mark with the flow recorded in a file next to the test.
  ///
  /// ```swift
  /// app.buttons["buy"].tap()
  /// verifier.wait(for: .named("order_placed"))
  /// verifier.assertFlow()                     // __Snapshots__/CheckoutTests/testBuying.1.txt
  /// ```
  ///
  /// Waits until as many events have arrived as are recorded, and no further one arrives for the settling time. A flow that isn't recorded fails the
  /// test, with the text to commit in the failure and in an attachment. With the environment variable `TRACKING_FLOWS=record` (`xcodebuild`:
  /// `TEST_RUNNER_TRACKING_FLOWS=record`) this method writes the flow next to the test's source file and fails the test, so that the flow is
  /// reviewed. Nothing is written while `CI` is set.
  ///
  /// The file is named after the test's suite, its function, and its argument if it has one. By default a verifier's flows are numbered; `name`
  /// replaces the number, which a test's second verifier needs. `folder` contains the recorded flows: `.bundle(...)` for tests that run where their
  /// sources are absent. Events before `mark` are ignored. `withRequests` makes the app's requests steps, too. `masking` values are written as
  /// placeholders, by default dates and UUIDs; `.planned(by:)` takes them from a tracking plan. In the file, `<any>` matches any value.
  @available(*, noasync, message: "use `await assertFlow`")
  public func assertFlow(
    named name: String? = nil, in folder: FlowFolder = .nextToTest, since mark: Mark? = nil,
    withRequests: Bool = false, masking volatile: [VolatileParams] = [.dates, .ids],
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    guard knows(mark, at: location), let place = place(of: name, in: folder, location) else { return }
    var rounds = rounds(of: place)
    while rounds.next(flow(since: mark, withRequests, volatile)) {
      guard listen(at: location) else { return }
    }
    compare(since: mark, withRequests, volatile, at: place, location)
  }

  /// Compares the events since the beginning or a mark with the flow recorded in a file next to the test, without blocking a thread.
  public func assertFlow(
    named name: String? = nil, in folder: FlowFolder = .nextToTest, since mark: Mark? = nil,
    withRequests: Bool = false, masking volatile: [VolatileParams] = [.dates, .ids],
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    guard knows(mark, at: location), let place = place(of: name, in: folder, location) else { return }
    var rounds = rounds(of: place)
    while rounds.next(flow(since: mark, withRequests, volatile)) {
      guard await listen(at: location) else { return }
    }
    compare(since: mark, withRequests, volatile, at: place, location)
  }

  /// The file of a flow; `nil` after a failure, if the test's argument isn't known and the flow has no name.
  private func place(of name: String?, in folder: FlowFolder, _ location: CodeLocation) -> FlowPlace? {
    let test = testParts
    if test?.argument == .unknown, name == nil {
      report(
        """
        The flow needs a name, because this test has arguments that can't be read
        Write `assertFlow(named: "\\(argument)")`.
        """, at: location)
      return nil
    }
    return FlowPlace(
      file: "\(location.file)", test: test, name: name ?? "\(nextFlowNumber())", folder: folder,
      environment: ProcessInfo.processInfo.environment)
  }

  private func rounds(of place: FlowPlace) -> FlowRounds {
    FlowRounds(
      wanted: place.recorded.map { EventFlow(text: $0).steps.count } ?? 0,
      deadline: .now + .clamping(seconds: TimeoutScale.scaled(configuration.timeout)))
  }

  private func flow(since mark: Mark?, _ withRequests: Bool, _ volatile: [VolatileParams]) -> EventFlow {
    EventFlow(timeline(since: mark), withRequests, volatile)
  }

  private func compare(
    since mark: Mark?, _ withRequests: Bool, _ volatile: [VolatileParams], at place: FlowPlace,
    _ location: CodeLocation
  ) {
    let steps = timeline(since: mark).compactMap { entry in
      EventFlow.Step(entry, withRequests, volatile).map { (entry: entry, step: $0) }
    }
    let flow = EventFlow(steps.map(\.step))
    let message = place.problem(with: flow) { position in
      CallSiteNames(among: steps.map(\.entry)).sentence(about: [steps[position].entry])
    }
    if let message {
      _ = reporter.keepAttachments([JournalAttachment(form: .flow, fileName: place.fileName, text: flow.text)])
      return report(message, at: location)
    }
    guard let recorded = place.recorded else { return }
    let known = EventFlow(text: recorded)
    note("the recorded flow", at: location, since: mark, of: withRequests ? [.events, .requests] : .events) {
      EventFlow($0, withRequests, volatile).opened(like: known) == known
    }
  }

  private func report(_ message: String, at location: CodeLocation) {
    fail(CheckFailure(kind: .changedFlow, message: message, location: location))
  }
}

extension EventFlow {
  fileprivate init(_ entries: [JournalEntry], _ withRequests: Bool, _ volatile: [VolatileParams]) {
    self.init(entries.compactMap { Step($0, withRequests, volatile) })
  }
}

extension EventFlow.Step {
  fileprivate init?(_ entry: JournalEntry, _ withRequests: Bool, _ volatile: [VolatileParams]) {
    switch entry {
    case .event(let recorded): self.init(recorded.event, volatile: volatile)
    case .request(let request):
      guard withRequests else { return nil }
      self.init(title: "\(request.method) \(request.target)", lines: [])
    case .rejection: return nil
    }
  }
}

/// The rounds of waiting for a flow: at least one, until the flow stops growing at the recorded length or the deadline passes.
private struct FlowRounds {
  let wanted: Int
  let deadline: ContinuousClock.Instant
  private var last: EventFlow?

  init(wanted: Int, deadline: ContinuousClock.Instant) {
    self.wanted = wanted
    self.deadline = deadline
  }

  mutating func next(_ flow: EventFlow) -> Bool {
    defer { last = flow }
    guard let last, ContinuousClock.now < deadline else { return last == nil }
    return last != flow || flow.steps.count < wanted
  }
}
