import TestSupport

@testable import TrackingPlan

final class ObservationFolderTests: XCTestCase {
  func testAnEmptyNameOfTheRunIsAsIfItWereNotSet() {
    XCTAssertEqual(ObservationFolder.run(in: ["TRACKING_RUN": "nightly"]), "nightly")
    XCTAssertEqual(ObservationFolder.run(in: ["TRACKING_RUN": ""]), ObservationFolder.run(in: [:]))
  }

  func testAFolderThatCannotBeCreatedIsNamedWithTheSystemsReason() throws {
    let file = try temporaryFolder().appending(path: "file")
    try Data().write(to: file)
    let folder = ObservationFolder(file.appendingPathComponent("observed"))
    XCTAssertThrowsError(try folder.append(Observation(id: "1", test: "T.t"))) { error in
      XCTAssertEqual("\(error)", "can't write \(folder.url.path): Not a directory")
    }
    XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "")
  }

  func testAFileThatCannotBeWrittenIsNamedWithTheSystemsReason() throws {
    // The file of this process is a folder, so that it can't be opened even by root.
    let folder = try temporaryFolder().appending(path: "observations")
    try ObservationFolder(folder).append(Observation(id: "1", test: "T.t"))
    let name = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    let file = folder.appendingPathComponent(name)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    XCTAssertThrowsError(try ObservationFolder(folder).append(Observation(id: "2", test: "T.t"))) { error in
      XCTAssertEqual("\(error)", "can't write \(file.path): Is a directory")
    }
  }
}
