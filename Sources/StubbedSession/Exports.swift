// Scenarios are written in the words of StubModel; one import brings both.
@_exported import StubModel
