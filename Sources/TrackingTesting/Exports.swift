// A test that imports TrackingTesting has all it needs to ask for events.
@_exported import TrackingVerifier
