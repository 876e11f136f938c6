import Foundation

/// A failure that no framework takes, so that its test would pass without a word.
///
/// It is said on standard error, aloud. More cannot be done from here: the process belongs to the tests, and how it ends is not ours to change.
enum LostFailure {
  static func report(_ failure: VerificationFailure) {
    let text = """
      \(failure.location.file):\(failure.location.line): error: This failure reached no test, because the test case of \
      its verifier is not running: an XCTestCase made by hand, or one that has ended. A test of Swift Testing takes its \
      verifier from the trait `.tracking` of TrackingTesting.
      \(failure.message)

      """
    FileHandle.standardError.write(Data(text.utf8))
  }
}
