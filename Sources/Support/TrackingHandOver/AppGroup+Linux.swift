#if os(Linux)
  import Foundation

  enum AppGroup {
    static let hint = "this system has no app groups; use LaunchFolder.url"

    /// The folder that the members of an app group share: there are no app groups here.
    static func container(of identifier: String) -> URL? { nil }
  }
#endif
