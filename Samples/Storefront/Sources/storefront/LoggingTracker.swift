import Foundation
import TrackingModel

/// What production code has: here it writes to standard error, in a real app it calls the analytics provider.
final class LoggingTracker: TrackerProtocol {
  func trackEvent(_ event: TrackingEvent) {
    FileHandle.standardError.write(Data("tracked \(event)\n".utf8))
  }
}
