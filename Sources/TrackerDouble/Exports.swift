// Whoever makes a double hands it over as a `TrackerProtocol`; one import brings both.
@_exported import TrackingModel
