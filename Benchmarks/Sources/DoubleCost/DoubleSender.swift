import Foundation
import TrackerDouble
import TrackingModel

struct DoubleSender: Sender {
  private let double: TrackerDouble
  /// Whether the event names the line that tracks it.
  private let namesLine: Bool

  init(port: Int, batchLimit: Int, namesLine: Bool = false) {
    self.namesLine = namesLine
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { fatalError("no port: \(port)") }
    double = TrackerDouble(endpoint: TrackingEndpoint(url: url), configuration: .init(batchLimit: batchLimit))
  }

  func track() {
    if namesLine { double.track(TrackedEvent.value) } else { double.trackEvent(TrackedEvent.value) }
  }

  func finish() {
    guard double.flush(timeout: 60) else { fatalError("the double could not deliver: \(double.delivery)") }
  }
}
