import TestSupport

/// Bodies of `multipart/form-data`, read and matched by the names of their parts.
final class MultipartTests: XCTestCase {
  private func request(_ body: String, boundary: String = "b") -> ReceivedRequest {
    ReceivedRequest(
      method: "POST", path: "/", headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"],
      body: Data(body.replacing("\n", with: "\r\n").utf8))
  }

  private let upload = """
    preamble
    --b
    Content-Disposition: form-data; name="title"

    Walden
    --b
    content-disposition: form-data; name="cover"; filename="a \\"b\\" %22.png"
    Content-Type: image/png

    \u{1}--b is not a boundary here
    line
    --b \t
    Content-Disposition: form-data; name=empty


    --b--
    epilogue
    """

  func testPartsHaveNamesFilesTypesAndBytes() throws {
    let parts = try XCTUnwrap(request(upload).parts)
    XCTAssertEqual(parts.map(\.name), ["title", "cover", "empty"])
    XCTAssertEqual(parts.map(\.fileName), [nil, #"a "b" ".png"#, nil])
    XCTAssertEqual(parts.map(\.type), ["text/plain", "image/png", "text/plain"])
    XCTAssertEqual(parts.map(\.text), ["Walden", "\u{1}--b is not a boundary here\r\nline", ""])
    XCTAssertEqual(try XCTUnwrap(request(upload.replacing("--b", with: "--x y"), boundary: #""x y""#).parts).count, 3)
  }

  func testABodyThatIsNotWhatItsTypeSaysHasNoParts() {
    XCTAssertNil(ReceivedRequest(method: "POST", path: "/", body: Data(upload.utf8)).parts)
    let broken = [
      "", "--b", "--b\n", "--b\nContent-Disposition: form-data; name=a\n\nx", "--bx\n\n--b--", "--b\n\nx\n--b-",
    ]
    for body in broken { XCTAssertNil(request(body).parts, body) }
    for boundary in ["", #""""#, String(repeating: "b", count: 71)] {
      XCTAssertNil(request(upload, boundary: boundary).parts, boundary)
    }
    XCTAssertEqual(request("--b--").parts, [])
    // A part without a name is not a field.
    XCTAssertEqual(request("--b\nA: b\n\nx\n--b--").parts, [])
    XCTAssertEqual(request("--b\nContent-Disposition: attachment; name=a\n\nx\n--b--").parts, [])
  }

  func testNamesOfAnyLengthTakeNoTime() throws {
    // Hashed or compared as a Swift string, this would take minutes.
    let text = "Content-Disposition" + String(repeating: "\u{301}\u{316}", count: 30_000)
    func parts(_ field: String) -> [ReceivedPart]? {
      let request = ReceivedRequest(
        method: "POST", path: "/", headers: ["Content-Type": "multipart/form-data; boundary=b"],
        body: Data("--b\r\n\(field)\r\n\r\nx\r\n--b--".utf8))
      return request.parts
    }
    XCTAssertEqual(parts("\(text): form-data; name=a"), [])
    XCTAssertEqual(parts("Content-Disposition: \(text); name=a"), [])
    XCTAssertEqual(parts("Content-Disposition: form-data; \(text)=a"), [])
    XCTAssertEqual(parts("Content-Disposition: form-data; \(text)=b; name=\"\(text)\"")?.map(\.text), ["x"])
  }

  func testPartsAreMatchedByName() throws {
    func differences(_ parts: [String: PartCondition]) throws -> [String] {
      try RequestPattern.request(.post, "/", body: .multipart(parts)).differences(from: request(upload))
    }
    XCTAssertEqual(
      try differences([
        "title": "Walden", "cover": .file(named: .hasSuffix(".png"), type: "image/png"), "empty": .present,
      ]), [])
    XCTAssertEqual(try differences(["title": .text(.contains("ald"))]), [])
    XCTAssertEqual(
      try differences(["title": "Emma", "cover": .file(named: "c.png"), "pages": .present]),
      [
        #"the part cover is "a \"b\" \".png" of the type image/png, not one in a file named "c.png""#,
        "the part pages is missing", #"the part title is "Walden", not one that is "Emma""#,
      ])
    XCTAssertEqual(try differences(["title": .file()]).count, 1)
    let other = RequestPattern.request(.post, "/", body: .multipart([:]))
    XCTAssertEqual(
      try other.differences(from: ReceivedRequest(method: "POST", path: "/", body: Data("a=b".utf8))),
      ["the body isn't multipart/form-data"])
  }
}
