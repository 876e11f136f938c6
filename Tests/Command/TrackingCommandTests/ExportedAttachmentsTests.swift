import TestSupport
import TrackingPlan

@testable import TrackingCommand

/// Folders as `xcrun xcresulttool export attachments` writes them.
final class ExportedAttachmentsTests: PlanToolTestCase {
  private struct Attached {
    var observation: Observation
    var repetition: Int?
    var device = "A1B2"
    var arguments: [String]?
  }

  /// Writes an export with attachments of one test, among others that aren't observations.
  private func export(to name: String, _ attached: [Attached]) throws {
    var tests: [String: [[String: Any]]] = [:]
    for item in attached {
      let file = "\(UUID()).json"
      try write(String(decoding: item.observation.line, as: UTF8.self), to: "\(name)/\(file)")
      var attachment: [String: Any] = [
        "configurationName": "Test Scheme Action", "deviceId": item.device, "deviceName": "iPhone 17",
        "exportedFileName": file, "isAssociatedWithFailure": false, "timestamp": 1_764_000_000.25,
        "suggestedHumanReadableName": "\(item.observation.test)-1-tracking-observation_0_\(UUID()).json",
      ]
      attachment["repetitionNumber"] = item.repetition
      attachment["arguments"] = item.arguments
      tests[item.observation.test, default: []].append(attachment)
    }
    try write("no observation", to: "\(name)/screenshot.txt")
    let manifest: [[String: Any]] = tests.sorted { $0.key < $1.key }.map { test, attachments in
      [
        "testIdentifier": test.replacing(".", with: "/") + "()",
        "testIdentifierURL": "test://com.apple.xcode/Shop/ShopUITests/\(test.replacing(".", with: "/"))",
        "attachments": attachments + [
          [
            "exportedFileName": "screenshot.txt", "isAssociatedWithFailure": true, "deviceId": "A1B2",
            "suggestedHumanReadableName": "Screenshot_0_\(UUID()).txt",
          ]
        ],
      ]
    }
    let data = try JSONSerialization.data(withJSONObject: manifest, options: [.prettyPrinted])
    try write(String(decoding: data, as: UTF8.self), to: "\(name)/manifest.json")
  }

  /// The number of events of a name that coverage counts.
  private func count(_ event: String, in folders: String...) throws -> Int? {
    var (output, error) = ("", "")
    let code = Command.run(
      ["coverage", "--plan", path("plan.json"), "--json"] + folders.map(path),
      output: .init(standard: { output += $0 }, error: { error += $0 }))
    XCTAssertEqual(code, 0, error)
    let report = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    let events = report?["events"] as? [[String: Any]]
    return events?.first { $0["name"] as? String == event }?["count"] as? Int
  }

  private func opened(_ test: String, times: Int = 1) -> Observation {
    observation(test, Array(repeating: (TrackingEvent(name: "opened"), true), count: times))
  }

  override func setUpWithError() throws {
    try super.setUpWithError()
    try write(shop, to: "plan.json")
  }

  func testCoverageReadsTheObservationsAmongExportedAttachments() throws {
    try export(to: "export", [Attached(observation: opened("A.a")), Attached(observation: opened("B.b", times: 2))])
    XCTAssertEqual(try count("opened", in: "export"), 3)
  }

  func testTheSameObservationInAFolderAndInAnAttachmentCountsOnce() throws {
    let observation = opened("A.a")
    try export(to: "export", [Attached(observation: observation)])
    try ObservationFolder(folder.appendingPathComponent("observed")).append(observation)
    XCTAssertEqual(try count("opened", in: "export", "observed"), 1)
  }

  func testARetriedTestCountsOnceAndATestOnTwoDevicesTwice() throws {
    try export(
      to: "export",
      [
        Attached(observation: opened("A.a", times: 4), repetition: 1),
        Attached(observation: opened("A.a"), repetition: 3),
        Attached(observation: opened("A.a", times: 2), repetition: 2),
        Attached(observation: opened("A.a"), repetition: 3), Attached(observation: opened("A.a"), device: "C3D4"),
      ])
    XCTAssertEqual(try count("opened", in: "export"), 3)
    XCTAssertTrue(
      run("coverage", "--plan", path("plan.json"), path("export")).output
        .contains("note:               2 observations left out, of tests that were repeated afterwards\n"))
  }

  func testEachArgumentOfATestCounts() throws {
    try export(
      to: "export",
      [
        Attached(observation: opened("A.a"), repetition: 1, arguments: ["1"]),
        Attached(observation: opened("A.a"), repetition: 2, arguments: ["1"]),
        Attached(observation: opened("A.a"), repetition: 1, arguments: ["2"]),
      ])
    XCTAssertEqual(try count("opened", in: "export"), 2)
  }

  func testARunIsComparedWithExportedAttachments() throws {
    try observe("A.a", in: "base", [(TrackingEvent(name: "opened"), true), (TrackingEvent(name: "failed"), true)])
    try export(
      to: "head",
      [
        Attached(observation: opened("A.a", times: 3), repetition: 1),
        Attached(observation: opened("A.a"), repetition: 2),
      ])
    let result = run("compare", path("base"), path("head"), "--fail-on", "lost")
    assertText(
      result.output,
      """
      1 lost; 1 test in both runs

      lost:               failed: once before in A.a

      """)
    XCTAssertEqual(result.code, 1)
    assertText(
      run("compare", path("head"), path("base")).output,
      """
      1 gained; 1 test in both runs

      gained:             failed: once in A.a

      """)
  }

  func testShardsAddUp() throws {
    for shard in 1...4 { try export(to: "shard\(shard)", [Attached(observation: opened("A.a\(shard)"))]) }
    XCTAssertEqual(try count("opened", in: "shard1", "shard2", "shard3", "shard4"), 4)
  }

  func testATestThatIsRepeatedInOneProcessCountsOnceInAFolder() throws {
    let observed = ObservationFolder(folder.appendingPathComponent("observed"))
    for (began, verifiers) in [(1, 3), (2, 2)] {
      for _ in 1...verifiers {
        var observation = opened("A.a")
        observation.attempt = TestAttempt(of: "ShopTests.A a", began: began)
        try observed.append(observation)
      }
    }
    var other = opened("A.a")
    other.attempt = TestAttempt(of: "OtherTests.A a", began: 1)
    try observed.append(other)
    try observed.append(opened("A.a"))
    XCTAssertEqual(try count("opened", in: "observed"), 4)
  }

  func testAFailedTestThatIsRetriedInAnotherProcessCountsOnceInAFolder() throws {
    func write(_ test: String, at began: Int, hasFailed: Bool = false, run: String = "1", to file: String) throws {
      var observation = opened("A.a")
      observation.id = "\(file)-ABCDEF12-1"
      observation.attempt = TestAttempt(of: test, began: began)
      (observation.hasFailed, observation.run, observation.time) = (hasFailed, run, began)
      try self.write(String(decoding: observation.line, as: UTF8.self), to: "observed/\(file).ndjson")
    }
    try write("retried until it passed", at: 1, hasFailed: true, to: "1")
    try write("retried until it passed", at: 2, hasFailed: true, to: "2")
    try write("retried until it passed", at: 3, to: "3")
    try write("in two shards", at: 1, to: "4")
    try write("in two shards", at: 2, to: "5")
    try write("failed in the second shard", at: 1, to: "6")
    try write("failed in the second shard", at: 2, hasFailed: true, to: "7")
    try write("not retried", at: 1, hasFailed: true, to: "8")
    XCTAssertEqual(try count("opened", in: "observed"), 6)
    XCTAssertTrue(
      run("coverage", "--plan", path("plan.json"), path("observed")).output
        .contains("note:               2 observations left out, of tests that were repeated afterwards\n"))
    // A failure of an earlier run isn't retried by a later one.
    try write("retried until it passed", at: 4, run: "2", to: "9")
    XCTAssertEqual(try count("opened", in: "observed"), 1)
  }

  /// `TRACKING_ATTACHMENTS` and `swift test --attachments-path` leave attachments without a manifest.
  func testAFolderOfAttachmentsWithoutAManifestIsRead() throws {
    func attach(_ observation: Observation, _ file: String, to name: String = "attached") throws {
      var observation = observation
      observation.run = ObservationFolder.run
      try write(String(decoding: observation.line, as: UTF8.self), to: "\(name)/\(file).json")
    }
    let first = opened("A.a", times: 2)
    try attach(first, "A.a-1-tracking-observation")
    try attach(opened("B.b"), "B.b-1-tracking-observation-1x2y3z")
    try write("{}", to: "attached/A.a-1-session.json")
    XCTAssertEqual(try count("opened", in: "attached"), 3)

    // The same observation in a file of the process, and of a repeated test only the last attempt.
    try ObservationFolder(folder.appendingPathComponent("attached")).append(first)
    for began in 1...2 {
      var observation = opened("C.c", times: began)
      observation.attempt = TestAttempt(of: "ShopTests.C c", began: began)
      try attach(observation, "C.c-\(began)-tracking-observation")
      try attach(observation, "C.c-\(began)-tracking-observation", to: "copied")
    }
    XCTAssertEqual(try count("opened", in: "attached"), 5)
    XCTAssertEqual(try count("opened", in: "attached", "copied", "attached"), 5)
    XCTAssertTrue(
      run("coverage", "--plan", path("plan.json"), path("attached"), path("attached")).output
        .contains("note:               1 observation left out, of tests that were repeated afterwards\n"))

    // Other processes may have run the same test, on other devices.
    for process in 1...2 {
      var observation = opened("D.d")
      observation.id = "\(process)-ABCDEF12-1"
      observation.attempt = TestAttempt(of: "ShopTests.D d", began: process)
      try attach(observation, "D.d-\(process)-tracking-observation", to: "devices")
    }
    XCTAssertEqual(try count("opened", in: "devices"), 2)
  }

  func testAnExportThatCannotBeReadIsRefusedWithTheReason() throws {
    for (manifest, reason) in [
      (
        "{}",
        "manifest.json: is not the manifest that `xcrun xcresulttool export attachments` writes: an array with `attachments`"
      ),
      (
        #"[{"attachments": [{"suggestedHumanReadableName": "x-tracking-observation_0_1.json", "exportedFileName": "gone.json"}]}]"#,
        "gone.json: is in the manifest, but can't be read"
      ),
      (
        #"[{"attachments": [{"suggestedHumanReadableName": "x-tracking-observation_0_1.json", "exportedFileName": "../plan.json"}]}]"#,
        "manifest.json: an attachment has no \"exportedFileName\" in its own folder"
      ),
      (
        #"[{"attachments": [{"suggestedHumanReadableName": "x-tracking-observation_0_1.json", "exportedFileName": "manifest.json"}]}]"#,
        "manifest.json: is not an observation"
      ),
    ] {
      try write(manifest, to: "export/manifest.json")
      let result = run("coverage", "--plan", path("plan.json"), path("export"))
      XCTAssertEqual(result.error, "error: export/\(reason)\n")
      XCTAssertEqual(result.code, 2)
    }
    try export(to: "none", [])
    XCTAssertTrue(
      run("coverage", "--plan", path("plan.json"), path("none")).error.contains("contains no observations"))
  }
}
