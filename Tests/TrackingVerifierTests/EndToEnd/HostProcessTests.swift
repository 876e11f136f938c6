import TrackerDouble
import TestSupport
import TrackingSockets
import TrackingVerifier

/// A verifier leaves the settings of the whole test process unchanged.
final class HostProcessTests: XCTestCase {
  func testAWholeLifeCycleChangesNothingThatBelongsToTheProcess() throws {
    // The first life cycle isn't compared, because the system's libraries set themselves up during it.
    try liveThrough()
    let before = HostProcess.now
    XCTAssertEqual(before.dispositions.count, 31)
    try liveThrough()
    XCTAssertEqual(HostProcess.now, before)
  }

  func testTheComparisonNoticesChanges() {
    let before = HostProcess.now
    let mask = umask(0o77)
    // Not SIGPIPE: libcurl ignores it for a while in each call, and two calls at once may leave it ignored.
    var action = sigaction()
    sigaction(SIGUSR2, nil, &action)
    signal(SIGUSR2, SIG_IGN)
    let changed = HostProcess.now
    sigaction(SIGUSR2, &action, nil)
    umask(mask)
    XCTAssertEqual(changed.mask, 0o77)
    XCTAssertNotEqual(changed.dispositions, before.dispositions)
    XCTAssertEqual(HostProcess.now, before)
  }

  /// Start, events, clients that go away in the middle of responses, hostile input, a restart, failures, a stop.
  private func liveThrough() throws {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 30, checksAtStop: [], reporter: reporter))
    verifier.start()
    let tracker = TrackerDouble(endpoint: verifier.endpoint)
    tracker.trackEvent(.tapped)
    verifier.wait(for: .tapped)
    try beHostile(port: UInt16(XCTUnwrap(verifier.endpoint.url.port)))
    verifier.stop()
    tracker.trackEvent(TrackingEvent(name: "while_stopped"))
    verifier.start()
    verifier.wait(for: TrackingEvent(name: "while_stopped"))
    XCTAssertEqual(reporter.kinds, [])
    verifier.wait(for: TrackingEvent(name: "never"), timeout: 0)
    XCTAssertEqual(reporter.kinds, [.tooFew])
    XCTAssertTrue(tracker.flush(timeout: 30))
    verifier.stop()
  }

  private func beHostile(port: UInt16) throws {
    let address = SocketAddress(.ipv4, port: port)
    let many = String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 500)
    let deep = String(repeating: "[", count: 100_000)
    let inputs = [
      many, "\u{16}\u{03}\u{01}", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n" + deep,
    ]
    for input in inputs {
      let socket = try Socket.connected(to: address, until: .now + .seconds(30))
      defer { socket.close() }
      let bytes = Array(input.utf8)
      var sent = 0
      while sent < bytes.count, socket.wait(for: Int32(POLLOUT), until: .now + .seconds(30)),
        case .bytes(let count) = bytes.withUnsafeBytes({ socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) })
      {
        sent += count
      }
      // The response is on its way when the client is gone.
      _ = socket.wait(for: Int32(POLLIN), until: .now + .seconds(30))
    }
  }
}

/// The settings of the whole process.
private struct HostProcess: Equatable {
  /// The action of each signal, from 1: the address of its handler, `SIG_DFL` or `SIG_IGN`.
  let dispositions: [UInt]
  let mask: mode_t
  let locale: String
  let folder: String
  let descriptorLimit: Int

  static var now: HostProcess {
    let mask = umask(0)
    umask(mask)
    return HostProcess(
      dispositions: (Int32(1)...31).map { number in
        var action = sigaction()
        sigaction(number, nil, &action)
        // The first field, whatever a platform calls it.
        return withUnsafeBytes(of: &action) { $0.load(as: UInt.self) }
      },
      mask: mask,
      locale: setlocale(LC_ALL, nil).map { String(cString: $0) } ?? "",
      folder: FileManager.default.currentDirectoryPath,
      descriptorLimit: sysconf(Int32(_SC_OPEN_MAX)))
  }
}
