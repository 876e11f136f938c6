/// A launch argument that holds a value of a launch, or is meant to.
package struct LaunchArgument: Hashable, Sendable {
  /// The argument without a value behind it: `-TRACKING_URL`, `TRACKING_URL=http://[::1]:50123`.
  package let text: String
  /// Its places among the launch arguments, with that of a value behind it.
  package let places: Range<Int>
  /// The value, empty if the argument is the last one; `nil` if the argument isn't spelt as it is read.
  package let value: String?

  /// Whether there is a value, which may be empty.
  package var hasValue: Bool { value != nil && (places.count > 1 || text.contains("=")) }

  /// The beginning of the argument, for a message.
  package var shownText: String { text.count > Self.longestShown ? "\(text.prefix(Self.longestShown))..." : text }

  private static let longestShown = 120
}
