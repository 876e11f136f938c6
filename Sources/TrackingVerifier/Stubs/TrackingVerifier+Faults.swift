import StubModel
import TrackingModel
import TrackingServer

extension TrackingVerifier {
  /// Makes requests or connections fail, regardless of stubs.
  ///
  /// ```swift
  /// verifier.inject(HTTPFault(.reset, at: .accept))             // the backend is down, until removeFaults()
  /// verifier.inject(HTTPFault(.stall, at: .response), times: 1)    // the next request gets no response
  /// ```
  ///
  /// At `.accept`, it affects whole connections, including those of the app's tracker, and resets idle connections that a client keeps open
  /// before it returns.
  /// Elsewhere, it doesn't affect submissions of events. It happens `times` times; by default, always.
  public func inject(
    _ fault: HTTPFault, times: Int? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    use(at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
    guard times.map({ $0 > 0 }) ?? true else {
      report(
        .invalidStub, "The fault \(fault) was not injected: it must happen at least once, not \(times ?? 0) times.",
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

  /// Responds to submissions of events with these responses instead of 204, to test a tracker's retries: each once, the last one repeatedly.
  ///
  /// ```swift
  /// verifier.respondToEvents(with: [.status(503), .status(503), .ok])
  /// ```
  ///
  /// An invalid submission is rejected as usual and uses up no response. If the response isn't a 2xx, the events aren't recorded. With
  /// `keepsRefused: true`, they are recorded and refused, as if the backend failed after saving. Events whose response is lost to a fault are
  /// recorded. The ``unacknowledgedEvents`` are those recorded without a 2xx. An empty list restores the usual response.
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
            "a connection is accepted before a submission arrives, so its response can't have \(fault): use inject(_:)")
        }
        if case .folder = result.content { throw .result("a submission names no file of a folder") }
        prepared.append(try PreparedResponse(result, folder: stubFolder))
      }
      server.stubs.respondToEvents(with: prepared, recording: keepsRefused ? .all : .accepted, of: stubOwner)
    } catch {
      refuse(
        "The response to events", error, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
    }
  }

  /// Responds to submissions of events with the response that a closure returns for the events, header fields and raw body.
  ///
  /// ```swift
  /// verifier.respondToEvents { submission in
  ///   submission.events.contains { $0.name == "purchase" } ? .status(503) : nil
  /// }
  /// ```
  ///
  /// If it returns `nil`, the response is the usual one. The closure runs on one of the server's threads. If it throws an error, the response is a
  /// 500, and the events aren't recorded.
  public func respondToEvents(
    keepsRefused: Bool = false,
    _ respond: @escaping @Sendable (EventSubmission) throws -> StubResponse?
  ) {
    use()
    server.stubs.respondToEvents(
      with: [.closure(respond, folder: stubFolder)], recording: keepsRefused ? .all : .accepted, of: stubOwner)
  }

  /// The recorded events whose sender got no 2xx, in the order of arrival.
  ///
  /// The server refused them because of ``respondToEvents(with:keepsRefused:fileID:file:line:column:)``, or the response was lost. An event that is
  /// sent again stays in the list, and is recorded once.
  public var unacknowledgedEvents: [TrackingEvent] {
    useSharedServer()
    return journal.events(from: beginning.entry).filter { !$0.isAcknowledged }.map(\.event)
  }
}
