import TrackingModel

/// A request's path, split and decoded once for all stubs that it is compared with.
package struct RequestPath: Sendable {
  struct Segment: Sendable {
    let sent: Substring
    let decoded: String

    var isUnread: Bool { PercentEncoding.isUnread(sent, decoded: decoded) }
  }

  let segments: [Segment]
  let decoded: String

  package init(_ path: String) {
    segments = Self.split(path).map { Segment(sent: $0, decoded: PercentEncoding.decoded($0)) }
    decoded = PercentEncoding.decoded(path)
  }

  static func split(_ path: String) -> [Substring] {
    let bytes = path.utf8
    return bytes.dropFirst(bytes.first == UInt8(ascii: "/") ? 1 : 0)
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// Equal for equal paths; different paths may share a key.
  var key: Int { Self.key(of: segments.map(\.decoded)) }

  static func key(of segments: [String]) -> Int {
    var hasher = Hasher()
    for segment in segments { segment.hashText(into: &hasher) }
    return hasher.finalize()
  }
}
