/// A launch argument that holds a launch value, or appears to be meant to.
package struct LaunchArgument: Equatable, Sendable {
  /// The argument without a separate value: `-TRACKING_URL`, `TRACKING_URL=http://[::1]:50123`.
  package let text: String
  /// Its indices among the launch arguments, including a separate value.
  package let places: Range<Int>
  /// The value, empty if the argument is the last; `nil` if the argument's spelling isn't supported.
  package let value: String?

  package var hasValue: Bool { value != nil && (places.count > 1 || text.contains("=")) }

  package var shownText: String { text.count > Self.longestShown ? "\(text.prefix(Self.longestShown))..." : text }

  private static let longestShown = 120
}
