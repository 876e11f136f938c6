// Recordings are values of StubReplay, made of StubModel's; one import brings all of them.
@_exported import StubReplay
