// Scenarios are made of the types of StubModel; one import brings both.
@_exported import StubModel
// The folder that an app names.
@_exported import struct TrackingLaunch.LaunchFolder
