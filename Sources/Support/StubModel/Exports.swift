// Conditions of stubs are matchers, and JSON in responses is a `TrackingValue`; one import brings all of them.
@_exported import TrackingModel
@_exported import TrackingPatterns
