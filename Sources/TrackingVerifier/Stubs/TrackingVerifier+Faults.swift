import StubModel
import TrackingModel
import TrackingServer

extension TrackingVerifier {
  /// Makes requests or connections fail, whichever stub would respond to them.
  ///
  /// ```swift
  /// verifier.inject(HTTPFault(at: .accept, .reset))             // the backend is down, until removeFaults()
  /// verifier.inject(HTTPFault(at: .response, .stall), times: 1)    // the next request gets no response
  /// ```
  ///
  /// At `.accept` it affects whole connections, including those of the app's tracker, and resets the idle ones that a client keeps open; at all other
  /// positions it does not affect submissions of events. It happens `times` times; without a number, always.
  public func inject(
    _ fault: HTTPFault, times: Int? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    use(at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
    guard times.map({ $0 > 0 }) ?? true else {
      report(
        .invalidStub, "The fault \(fault) was not injected: it happens once or more often, not \(times ?? 0) times.",
        at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
      return
    }
    server.stubs.inject(fault, times: times, of: stubOwner)
  }

  /// Removes all injected faults.
  public func removeFaults() {
    useSharedServer()
    server.stubs.removeFaults(of: stubOwner)
  }

  /// Responds to submissions of events with these responses instead of 204, to see how a tracker copes: each once, the last one from then on.
  ///
  /// ```swift
  /// verifier.respondToEvents(with: [.status(503), .status(503), .ok])
  /// ```
  ///
  /// An invalid submission is rejected as usual and uses up no response. Events of a submission whose response isn't a 2xx are not recorded, unless
  /// `keepsRefused` is `true`: then they are recorded and refused, as by a backend that fails after saving them. Events whose response is lost to a
  /// fault are recorded. Recorded events that were not acknowledged are the ``unacknowledgedEvents``. An empty list restores the usual response.
  public func respondToEvents(
    with results: [StubResponse], keepsRefused: Bool = false,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    use(at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
    do throws(StubError) {
      var prepared: [PreparedResponse] = []
      for result in results {
        if let fault = result.fault, fault.position == .accept {
          throw .result(
            "no submission is known when a connection is accepted, so none can have \(fault): use inject(_:)")
        }
        if case .folder = result.content { throw .result("a submission names no file of a folder") }
        prepared.append(try PreparedResponse(result, folder: stubFolder))
      }
      server.stubs.answerEvents(with: prepared, recording: keepsRefused ? .all : .accepted, of: stubOwner)
    } catch {
      refuse(
        "The response to events", error, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
    }
  }

  /// Responds to submissions of events with the result of a closure, which gets the events, the header fields and the raw body.
  ///
  /// ```swift
  /// verifier.respondToEvents { submission in
  ///   submission.events.contains { $0.name == "purchase" } ? .status(503) : nil
  /// }
  /// ```
  ///
  /// `nil` is the usual response. The closure runs on one of the server's threads. If it throws an error, the response is a 500, and the events are
  /// not recorded.
  public func respondToEvents(
    keepsRefused: Bool = false,
    _ answer: @escaping @Sendable (EventSubmission) throws -> StubResponse?
  ) {
    use()
    server.stubs.answerEvents(
      with: [.closure(answer, folder: stubFolder)], recording: keepsRefused ? .all : .accepted, of: stubOwner)
  }

  /// The events whose sender was not told that they were recorded, because ``respondToEvents(with:keepsRefused:fileID:file:line:column:)`` let the server
  /// refuse them, or lose the response; in the order of arrival.
  ///
  /// An event that its sender sends again stays among them, and is recorded once.
  public var unacknowledgedEvents: [TrackingEvent] {
    useSharedServer()
    return journal.events(from: beginning.entry).filter { !$0.isAcknowledged }.map(\.event)
  }
}
