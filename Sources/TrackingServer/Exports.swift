// Formats are written with stubs, values and matchers; one import brings them all.
@_exported import StubModel
@_exported import struct TrackingPatterns.ValueMatcher
