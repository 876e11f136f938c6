import TrackingServer

struct UpstreamFailure: Error, Sendable {
  let reason: String
  /// Whether the backend was unreachable or broke off, so that the recording would have a gap.
  let isOutage: Bool

  static let cancelled = UpstreamFailure(reason: "the request was cancelled", isOutage: false)
  static let brokenOff = UpstreamFailure(
    reason: "the connection was closed before the response was complete, or the response isn't HTTP", isOutage: true)

  /// Refuses a body with a content coding that can't be decoded, because the secrets in it wouldn't be found.
  static func unreadable(_ coding: String?) -> UpstreamFailure? {
    guard let coding, coding.lowercased() != "identity", ContentCoding(named: coding) == nil else { return nil }
    return UpstreamFailure(
      reason: "its body has the content coding \(coding), and only gzip and deflate can be read", isOutage: false)
  }

  static func tooLarge(_ mostBytes: Int) -> UpstreamFailure {
    UpstreamFailure(
      reason: "its body has more than \(mostBytes / 1_048_576) MiB, which is the most that is recorded",
      isOutage: false)
  }
}
