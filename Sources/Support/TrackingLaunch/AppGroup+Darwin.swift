#if canImport(Darwin)
  import Foundation

  enum AppGroup {
    static let hint = "the target needs the entitlement com.apple.security.application-groups with this group"

    /// `nil` without the entitlement.
    static func container(of identifier: String) -> URL? {
      FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
    }
  }
#endif
