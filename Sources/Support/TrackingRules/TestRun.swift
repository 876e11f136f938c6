import Foundation

/// The `swift test` that runs this process.
///
/// With `--parallel` it runs each test in a separate process, whose records belong together. Other runners, such as Xcode, can't be distinguished
/// from the system that starts processes for them.
package enum TestRun {
  /// `nil` if something other than `swift test` runs this process.
  package static let start = parent?.start

  /// Equal for all processes of a run; `nil` if something other than `swift test` runs this process.
  package static let id = parent.map { "\(getppid())-\($0.mark)" }

  private static let parent: Parent? = {
    guard let parent = process(getppid()), ["swift-test", "swift-package"].contains(parent.name) else { return nil }
    return parent
  }()

  struct Parent {
    let name: String
    let start: Date
    /// The start in a unit of the system, equal for all readers.
    let mark: Int
  }
}
