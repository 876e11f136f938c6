import Foundation
import TrackingModel

/// The event that everybody sends.
enum TrackedEvent {
  static let value = TrackingEvent(
    name: "button_tapped", params: ["screen": "main_screen", "index": 7, "price": 19.99])

  static var json: Data {
    guard let json = try? JSONEncoder().encode(value) else { fatalError("the event cannot be encoded") }
    return json
  }
}
