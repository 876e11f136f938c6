import TrackingJSON
import TrackingModel

@testable import TrackingServer

/// Events, or an error as `path@offset: reason`.
func intake(_ bytes: [UInt8], maximumDepth: Int = 512) -> (events: [TrackingEvent]?, error: String?) {
  bytes.withUnsafeBufferPointer { buffer in
    do throws(JSONError) {
      return (try EventReader(maximumDepth: maximumDepth).events(in: buffer), nil)
    } catch {
      return (nil, "\(error.path)@\(error.offset): \(error.reason)")
    }
  }
}

func intake(_ text: String) -> (events: [TrackingEvent]?, error: String?) {
  intake(Array(text.utf8))
}
