import Foundation

/// The `swift test` that runs this process.
///
/// With `--parallel` it runs each test in a separate process, so what these record belongs together. Other runners, such as Xcode, can't be
/// told apart from the system that starts processes for them.
enum TestRun {
  /// The time of its start; `nil` if something else runs this process.
  static let start: Date? = {
    guard let parent = process(getppid()), ["swift-test", "swift-package"].contains(parent.name) else { return nil }
    return parent.start
  }()
}
