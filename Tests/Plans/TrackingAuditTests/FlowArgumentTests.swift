import Testing
import TestSupport
import TrackingAudit
import TrackingTesting

/// Flows in tests of Swift Testing.
@Suite struct FlowArgumentTests {
  private static let reporter = RecordingReporter()
  private static let quick = TrackingVerifier.Configuration(
    timeout: 0.01, settling: 0, checksAtStop: [], reporter: RecordingReporter())

  private var attachments: [String] {
    (TrackingVerifier.current.configuration.reporter as? RecordingReporter)?.attachments.map(\.fileName) ?? []
  }

  @Test("each argument has its own file", .tracking(quick), arguments: ["one", "two words"])
  func anArgument(text: String) async {
    await TrackingVerifier.current.assertFlow()
    let ending = text == "one" ? "one" : "two-words-"
    #expect(attachments.contains { $0.hasPrefix("anArgument.\(ending)") && $0.hasSuffix(".1.txt") }, "\(attachments)")
  }

  @Test("each pair of arguments has its own file", .tracking(quick), arguments: [1, 2], [3])
  func aPair(first: Int, second: Int) async {
    await TrackingVerifier.current.assertFlow()
    #expect(attachments.contains("aPair.\(first)-\(second).1.txt"), "\(attachments)")
  }

  @Test("a test without arguments has one", .tracking(quick))
  func noArgument() async {
    await TrackingVerifier.current.assertFlow(named: "named")
    #expect(attachments.contains("noArgument.named.txt"), "\(attachments)")
  }
}
