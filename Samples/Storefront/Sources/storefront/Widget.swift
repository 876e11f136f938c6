import Foundation
import TrackerDouble
import TrackingModel

/// The shop's widget, which the system refreshes in a process that no test launches: it takes the launch that the app has left.
///
/// On Apple's platforms it is an extension in an executable of another name, and the group is an app group.
enum Widget {
  static func refresh(environment: [String: String]) {
    let double = TrackerDouble(launchFolder: .group(in: environment))
    let tracker: any TrackerProtocol = double ?? LoggingTracker()
    tracker.track(TrackingEvent(name: "screen_viewed", params: [.screen: "widget"]))
    double?.flush(timeout: 2)
  }
}

extension LaunchFolder? {
  /// The folder that the app and its widget share: an app uses an app group, a program a folder.
  static func group(in environment: [String: String]) -> LaunchFolder? {
    environment["STOREFRONT_GROUP"].map { .url(URL(filePath: $0, directoryHint: .isDirectory)) }
  }
}
