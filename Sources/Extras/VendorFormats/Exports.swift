// One import brings the formats and the choice of the items to keep.
@_exported import protocol TrackingServer.EventFormat
@_exported import struct TrackingServer.AcceptedFormat
@_exported import struct TrackingServer.DecodedSubmission
