import Foundation
import TrackingModel

/// The tracker of production code: here it writes to standard error, in a real app it calls the analytics provider.
final class LoggingTracker: TrackerProtocol {
  func trackEvent(_ event: TrackingEvent) {
    FileHandle.standardError.write(Data("tracked \(event)\n".utf8))
  }
}
