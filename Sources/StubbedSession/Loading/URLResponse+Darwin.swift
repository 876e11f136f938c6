#if canImport(Darwin)
  import Foundation

  extension URLResponse {
    /// The response without what a session cannot be told.
    var withoutTraps: URLResponse { self }
  }
#endif
