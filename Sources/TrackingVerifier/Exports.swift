// A test names events and params wherever it names a verifier; one import brings both.
@_exported import TrackingModel
