// Recordings are values of StubReplay, made of StubModel's; one import brings all of them.
@_exported import StubReplay
import TrackingJSON

/// A JSON value whose members keep their order.
@_spi(TrackingCommand) public typealias JSONTree = TrackingJSON.JSONTree
