#if os(Linux)
  import Foundation

  enum AppGroup {
    static let hint = "this system has no app groups; use LaunchFolder.url"

    /// Linux has no app groups.
    static func container(of identifier: String) -> URL? { nil }
  }
#endif
