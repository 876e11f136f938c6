// Scenarios are made of the types of StubModel; one import brings both.
@_exported import StubModel
