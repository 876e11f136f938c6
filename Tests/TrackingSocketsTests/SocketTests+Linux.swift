#if os(Linux)
  import Foundation

  extension SocketTests {
    static let descriptorLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  }
#endif
