import Foundation
import XCTest

@testable import TrackingSockets

extension XCTestCase {
  /// A deadline that only a test which fails sees.
  var soon: ContinuousClock.Instant { .now + .seconds(30) }

  /// A port on which nobody listens.
  func freePort() throws -> UInt16 {
    let listener = try LoopbackListener(port: 0)
    defer { listener.close() }
    return listener.address.port
  }

  /// How many descriptors this process has open; threads that tests of other modules left behind may still be closing theirs.
  func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
  }
}
