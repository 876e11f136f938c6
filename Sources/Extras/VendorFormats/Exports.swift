// Code that accepts a format also chooses which of its items to keep. One import provides both.
@_exported import protocol TrackingServer.EventFormat
@_exported import struct TrackingServer.AcceptedFormat
@_exported import struct TrackingServer.DecodedSubmission
