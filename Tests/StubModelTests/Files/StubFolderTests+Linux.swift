#if os(Linux)
  import StubModel
  import XCTest

  extension StubFolderTests {
    /// Not even root reads the first page of its own memory.
    func testAFileThatNobodyCanReadIsNamedWithItsPath() throws {
      let folder = StubFolder.url(URL(filePath: "/proc/self", directoryHint: .isDirectory))
      XCTAssertThrowsError(try PreparedStub(StubEndpoint(.get, "/", .file("mem", in: folder)), folder: nil)) { error in
        XCTAssertTrue("\(error)".hasPrefix("the stub file /proc/self/mem cannot be read: "), "\(error)")
      }
    }
  }
#endif
