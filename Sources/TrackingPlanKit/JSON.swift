import TrackingJSON

// TrackingJSON has no product; the package Tools uses its tree under these names.

/// A JSON value with its place, whose members keep their order.
public typealias JSONTree = TrackingJSON.JSONTree
/// The white space of a JSON text.
public typealias JSONLayout = TrackingJSON.JSONLayout
/// The reason why a text isn't the expected JSON, with its place.
public typealias JSONError = TrackingJSON.JSONError
