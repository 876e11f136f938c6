import Foundation
import TrackingModel
import TrackingVerifier

extension TrackingVerifier {
  /// Compares the events since the beginning or a mark with the flow recorded in a file beside the test.
  ///
  /// ```swift
  /// app.buttons["buy"].tap()
  /// verifier.wait(for: .named("order_placed"))
  /// verifier.assertFlow()                     // __Snapshots__/CheckoutTests/testBuying.1.txt
  /// ```
  ///
  /// Waits until as many events have arrived as are recorded, and no further one arrives for the settling time. If no flow is recorded, this
  /// method records one and fails the test. Set the environment variable `TRACKING_FLOWS=record` to record all flows again. Nothing is recorded
  /// while `CI` is set.
  ///
  /// By default the flows of a test are numbered; with `name` their file has that name. Events before `mark` are ignored. `withRequests`
  /// makes the app's requests steps, too. The values that `volatile` names differ from run to run, by default dates and UUIDs;
  /// `.planned(by:)` takes them from a tracking plan. In the file, `<any>` matches any value.
  @available(*, noasync, message: "use `await assertFlow`")
  public func assertFlow(
    named name: String? = nil, since mark: Mark? = nil, withRequests: Bool = false,
    volatile: [VolatileParams] = [.dates, .ids],
    fileID: StaticString = #fileID, file: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column
  ) {
    let place = FlowPlace(file: file, function: function, name: name, of: self)
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    var rounds = rounds(of: place)
    while rounds.next(flow(since: mark, withRequests, volatile)) {
      _ = outcome(of: .noEvents(within: configuration.settling), since: self.mark())
    }
    compare(flow(since: mark, withRequests, volatile), at: place, location)
  }

  /// Compares the events since the beginning or a mark with the flow recorded in a file beside the test, without blocking a thread.
  public func assertFlow(
    named name: String? = nil, since mark: Mark? = nil, withRequests: Bool = false,
    volatile: [VolatileParams] = [.dates, .ids],
    fileID: StaticString = #fileID, file: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = FlowPlace(file: file, function: function, name: name, of: self)
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    var rounds = rounds(of: place)
    while rounds.next(flow(since: mark, withRequests, volatile)) {
      _ = await outcome(of: .noEvents(within: configuration.settling), since: self.mark())
    }
    compare(flow(since: mark, withRequests, volatile), at: place, location)
  }

  private func rounds(of place: FlowPlace) -> FlowRounds {
    FlowRounds(
      wanted: place.recorded.map { EventFlow(text: $0).steps.count } ?? 0,
      deadline: .now + .seconds(configuration.timeout))
  }

  private func flow(since mark: Mark?, _ withRequests: Bool, _ volatile: [VolatileParams]) -> EventFlow {
    EventFlow(
      timeline(since: mark).compactMap { entry in
        switch entry {
        case .event(let event): EventFlow.Step(event, volatile: volatile)
        case .request(let method, let target):
          withRequests ? EventFlow.Step(title: "\(method) \(target)", lines: []) : nil
        }
      })
  }

  private func compare(_ flow: EventFlow, at place: FlowPlace, _ location: CodeLocation) {
    guard let message = place.problem(with: flow) else { return }
    reporter.report(VerificationFailure(kind: .changedFlow, message: message, location: location))
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

/// The file of a flow: `__Snapshots__/CheckoutTests/testBuying.1.txt` beside the test's file.
struct FlowPlace {
  private let url: URL
  private let environment: [String: String]

  /// The number of flows that each test has compared, which numbers them.
  private static let counts = Locked<[String: Int]>([:])

  init(
    file: StaticString, function: StaticString, name: String?, of verifier: TrackingVerifier,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let source = URL(fileURLWithPath: "\(file)")
    let test = "\(function)".prefix { $0 != "(" }
    let number = name ?? "\(Self.next(of: "\(ObjectIdentifier(verifier)) \(test)"))"
    let title = Self.safe("\(test).\(number)")
    url = source.deletingLastPathComponent().appendingPathComponent("__Snapshots__")
      .appendingPathComponent(source.deletingPathExtension().lastPathComponent).appendingPathComponent("\(title).txt")
    self.environment = environment
  }

  init(url: URL, environment: [String: String]) {
    self.url = url
    self.environment = environment
  }

  private static func next(of key: String) -> Int {
    counts.withLock { counts in
      counts[key, default: 0] += 1
      return counts[key, default: 0]
    }
  }

  private static func safe(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" })
  }

  var recorded: String? { try? String(contentsOf: url, encoding: .utf8) }

  /// Records the flow where needed and returns the failure message; `nil` if the flow matches the recorded one.
  func problem(with flow: EventFlow) -> String? {
    let number = flow.steps.count.counted("step")
    guard let recorded, environment["TRACKING_FLOWS"] != "record" else {
      guard environment["CI"] == nil else {
        return
          "The flow is not recorded, and none is recorded while CI is set. Run the test on your machine and commit \(url.path)."
      }
      do {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(flow.text.utf8).write(to: url)
      } catch {
        return "The flow is not recorded, and \(url.path) can't be written: \(error.localizedDescription)."
      }
      return "The flow was recorded, \(number), in \(url.path). Review it, commit it, and run the test again."
    }
    let known = EventFlow(text: recorded)
    let opened = flow.opened(like: known)
    guard opened != known else { return nil }
    return """
      The flow differs from the recorded one (- recorded, + now):

      \(opened.difference(from: known))

      It is recorded in \(url.path). If it changed on purpose, run the test with TRACKING_FLOWS=record.
      """
  }
}
