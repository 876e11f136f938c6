import Foundation
import StubModel
import TrackingModel
import TrackingPatterns
import TrackingChecks
import TrackingServer

// For TrackingVendors. The names differ from the public ones: otherwise, if a test lacks the import, the compiler's error would name a `package`
// method.

extension TrackingVerifier {
  package func register(_ formats: [AcceptedFormat], at location: CodeLocation) {
    use(at: location)
    for format in formats {
      do throws(StubError) {
        server.stubs.accept(try PreparedFormat(format), of: stubOwner)
      } catch {
        refuse("The format \(format.name)", error, at: location)
      }
    }
  }

  package var redeliveries: [Redelivery] {
    useSharedServer()
    return journal.redeliveries(since: beginning)
  }

  /// Waits for an event under other words than its pattern's.
  package func waitForEvent(
    _ pattern: EventPattern, called words: String, since mark: Mark?, timeout: TimeInterval?,
    at location: CodeLocation
  ) -> TrackingEvent? {
    check(.one(EntryPattern(pattern).called(words)), since: mark, timeout, at: location).match
  }

  /// Waits for an event under other words than its pattern's, without blocking a thread.
  package func waitForEvent(
    _ pattern: EventPattern, called words: String, since mark: Mark?, timeout: TimeInterval?,
    isolation: isolated (any Actor)? = #isolation, at location: CodeLocation
  ) async -> TrackingEvent? {
    await check(.one(EntryPattern(pattern).called(words)), since: mark, timeout, at: location).match
  }
}
