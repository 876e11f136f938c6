// Recordings are made of StubModel's values; one import brings both.
@_exported import StubModel
