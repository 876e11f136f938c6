// Tests name events and params wherever they name a verifier, so one import brings both.
@_exported import StubModel
@_exported import TrackingModel
@_exported import TrackingPatterns
@_exported import TrackingChecks
@_exported import struct TrackingRules.PlanSource
// A configuration contains a server's configuration, so its members must be visible; the rest of the module isn't exported.
@_exported import class TrackingServer.TrackingServer
@_exported import struct TrackingServer.RecordedRequest
@_exported import struct TrackingServer.RecordingSource
