import Foundation

/// A failure that no framework takes, which would let its test pass.
///
/// It is said on standard error at once, and the process ends with a failure, so that the run is red all the same.
enum LostFailure {
  /// Runs once, at the first lost failure.
  private static let failTheRun: Void = {
    atexit {
      // `exit` has not yet written out what is buffered.
      fflush(nil)
      _exit(EXIT_FAILURE)
    }
  }()

  static func report(_ failure: VerificationFailure) {
    failTheRun
    let text = """
      \(failure.location.file):\(failure.location.line): error: This failure reached no test, because the test case of \
      its verifier is not running: an XCTestCase made by hand, or one that has ended. A test of Swift Testing takes its \
      verifier from the trait `.tracking` of TrackingTesting. The process will end with a failure.
      \(failure.message)

      """
    FileHandle.standardError.write(Data(text.utf8))
  }
}
