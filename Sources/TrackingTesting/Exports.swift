// A test that imports TrackingTesting needs no other import to check events.
@_exported import TrackingVerifier
