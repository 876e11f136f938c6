// A test names events and params wherever it names a verifier; one import brings both.
@_exported import StubModel
@_exported import TrackingModel
@_exported import TrackingPatterns
@_exported import TrackingChecks
@_exported import struct TrackingRules.PlanSource
// A configuration holds that of a server, so its members must be visible wherever a verifier is set up. The rest of the module stays away.
@_exported import class TrackingServer.TrackingServer
@_exported import struct TrackingServer.RecordedRequest
@_exported import struct TrackingServer.RecordingSource
