#if canImport(Darwin)
  import Foundation

  extension SocketTests {
    static let descriptorLimit = RLIMIT_NOFILE
  }
#endif
