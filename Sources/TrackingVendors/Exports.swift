// A test that names a vendor's format says which of its items count; one import brings both.
@_exported import protocol TrackingServer.EventFormat
@_exported import struct TrackingServer.AcceptedFormat
@_exported import struct TrackingServer.JSONEventFormat
@_exported import struct TrackingServer.Submission
