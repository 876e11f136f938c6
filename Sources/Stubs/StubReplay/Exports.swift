// Recordings become stubs, so one import brings both.
@_exported import StubModel
