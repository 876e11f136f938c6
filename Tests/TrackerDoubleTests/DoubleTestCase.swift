import TestSupport
import TrackingLaunch

@testable import TrackerDouble
@testable import TrackingSockets

/// The base class of a double's tests: peers that stop with the test, and records of the double's reports.
class DoubleTestCase: XCTestCase {
  let failures = Recorder<DeliveryFailure>()
  /// The problems in the log, and its notes.
  let lines = Recorder<String>()
  let notes = Recorder<String>()

  /// Longer than anything here takes; only a test that fails waits for it.
  let long: TimeInterval = 60

  func peer(
    port: UInt16 = 0,
    welcome: @escaping @Sendable (_ connection: Int) -> ScriptedPeer.Welcome = { _ in .serve },
    respond: @escaping @Sendable (PeerRequest) -> ScriptedPeer.Action = { _ in .response(Responses.noContent) }
  ) throws -> ScriptedPeer {
    let peer = try ScriptedPeer(port: port, welcome: welcome, respond: respond)
    addTeardownBlock { peer.stop() }
    return peer
  }

  var log: AppLog {
    AppLog(of: "TrackerDouble", { [lines] in lines.append($0) }, note: { [notes] in notes.append($0) })
  }

  func tracker(
    for endpoint: TrackingEndpoint, _ configure: (inout TrackerDouble.Configuration) -> Void = { _ in }
  ) -> TrackerDouble {
    var configuration = TrackerDouble.Configuration(onFailure: { [failures] in failures.append($0) })
    configure(&configuration)
    return TrackerDouble(
      endpoint: endpoint, configuration: configuration, log: log)
  }

  func tracker(
    for peer: ScriptedPeer, session: String? = nil, _ configure: (inout TrackerDouble.Configuration) -> Void = { _ in }
  ) -> TrackerDouble {
    tracker(for: peer.endpoint(session: session), configure)
  }

  func endpoint(port: UInt16) -> TrackingEndpoint {
    TrackingEndpoint(url: URL(string: "http://\(SocketAddress(.preferred, port: port))")!)
  }

  func names(_ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { "event \($0)" }
  }
}

extension TrackerDouble {
  /// Tracks `event 4`, `event 5` and so on.
  func track(_ numbers: ClosedRange<Int>) {
    for number in numbers {
      trackEvent(TrackingEvent(name: "event \(number)", params: [:]))
    }
  }
}

extension DeliveryCounts {
  init(tracked: Int, delivered: Int, failed: Int) {
    self.init()
    self.tracked = tracked
    self.delivered = delivered
    self.failed = failed
  }
}
