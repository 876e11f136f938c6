// JSON in conditions and answers is a `TrackingValue`; one import brings both.
@_exported import TrackingModel
