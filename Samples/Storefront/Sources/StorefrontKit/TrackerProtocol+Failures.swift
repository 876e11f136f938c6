import StorefrontEvents
import TrackingModel

extension TrackerProtocol {
  /// Tracks that a screen could not get what it needs; a product that is not there is no failure.
  func trackFailure(_ error: any Error, on screen: String, fileID: String = #fileID, line: Int = #line) {
    guard let reason = (error as? CatalogueError)?.reason else { return }
    track(LoadFailed(screen: screen, reason: reason), fileID: fileID, line: line)
  }
}
