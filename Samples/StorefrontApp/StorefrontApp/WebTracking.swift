import Foundation
import TrackingModel
import WebKit

/// Tracks the events of a web view's pages with the app's tracker.
///
/// In the page: `webkit.messageHandlers.tracking.postMessage(JSON.stringify({ name: "help_opened", params: { topic: "returns" } }))`.
final class WebTracking: NSObject, WKScriptMessageHandler {
  private let tracker: any TrackerProtocol

  init(tracker: any TrackerProtocol) {
    self.tracker = tracker
  }

  func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
    let text = message.body as? String ?? ""
    guard let event = try? JSONDecoder().decode(TrackingEvent.self, from: Data(text.utf8)) else {
      return assertionFailure("a page has sent something else than an event: \(message.body)")
    }
    tracker.trackEvent(event)
  }
}

extension WKWebViewConfiguration {
  /// Lets the pages of a web view track events.
  func addTracking(with tracker: any TrackerProtocol) {
    userContentController.add(WebTracking(tracker: tracker), name: "tracking")
  }
}
