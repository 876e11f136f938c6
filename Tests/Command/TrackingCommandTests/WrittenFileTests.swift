import Dispatch
import TestAppLauncher
import TestSupport
import TrackingModel

@testable import TrackingCommand

final class WrittenFileTests: PlanToolTestCase {
  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  func testAFileIsReplacedAsAWholeWithItsRights() throws {
    try write("earlier, and longer", to: "a.json")
    chmod(path("a.json"), 0o640)
    let reader = try XCTUnwrap(FileHandle(forReadingAtPath: path("a.json")))
    try WrittenFile(path("a.json")).write(Data("new".utf8))
    XCTAssertEqual(try read("a.json"), "new")
    // A reader of the earlier file still has that.
    XCTAssertEqual(try reader.readToEnd(), Data("earlier, and longer".utf8))
    XCTAssertEqual(
      try FileManager.default.attributesOfItem(atPath: path("a.json"))[.posixPermissions] as? Int, 0o640)
    try WrittenFile(path("new/folder/b.json")).write(Data("b".utf8))
    XCTAssertEqual(try read("new/folder/b.json"), "b")
    XCTAssertEqual(try names(), ["a.json", "new"])
  }

  func testALinkStaysAndItsFileIsReplaced() throws {
    try write("earlier", to: "files/a.json")
    try FileManager.default.createSymbolicLink(atPath: path("first"), withDestinationPath: "second")
    try FileManager.default.createSymbolicLink(atPath: path("second"), withDestinationPath: path("files/a.json"))
    try FileManager.default.createSymbolicLink(atPath: path("dangling"), withDestinationPath: "files/b.json")
    try WrittenFile(path("first")).write(Data("new".utf8))
    try WrittenFile(path("dangling")).write(Data("b".utf8))
    XCTAssertEqual(try read("files/a.json"), "new")
    XCTAssertEqual(try read("files/b.json"), "b")
    XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: path("first")), "second")
    try FileManager.default.createSymbolicLink(atPath: path("loop"), withDestinationPath: "loop")
    XCTAssertThrowsError(try WrittenFile(path("loop")).write(Data())) { error in
      XCTAssertEqual("\(error)", "\(path("loop")) can't be written: Too many levels of symbolic links")
    }
  }

  /// No device of the system: a test that fails as root could replace it.
  func testAPipeAndADescriptorAreWrittenAsTheyAre() throws {
    XCTAssertEqual(mkfifo(path("pipe"), 0o600), 0)
    let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try WrittenFile(path("pipe")).write(Data("through".utf8))
    var bytes = [UInt8](repeating: 0, count: 20)
    XCTAssertEqual(Foundation.read(reader, &bytes, 20), 7)
    // As `/dev/stdout`, which leads to the file of a redirection.
    try write("before, ", to: "output")
    let output = open(path("output"), O_RDWR)
    defer { close(output) }
    try FileManager.default.createSymbolicLink(atPath: path("descriptor"), withDestinationPath: "/dev/fd/\(output)")
    try WrittenFile(path("descriptor")).write(Data("behind".utf8))
    XCTAssertTrue(WrittenFile(path("descriptor")).isWritable)
    XCTAssertEqual(try read("output"), "before, behind")
    // By a link to the folder of descriptors, too.
    try FileManager.default.createSymbolicLink(atPath: path("descriptors"), withDestinationPath: "/dev/fd")
    try WrittenFile(path("descriptors/\(output)")).write(Data(", again".utf8))
    XCTAssertEqual(try read("output"), "before, behind, again")
    XCTAssertEqual(try names(), ["descriptor", "descriptors", "output", "pipe"])
  }

  /// Files in `/dev/shm`, which is a folder of Linux, are like those in other folders.
  func testARegularFileBelowDevIsCreatedAndReplaced() throws {
    guard FileManager.default.isWritableFile(atPath: "/dev/shm") else { throw XCTSkip("no /dev/shm") }
    let path = "/dev/shm/\(folder.lastPathComponent)"
    defer { unlink(path) }
    for text in ["earlier, and longer", "new"] {
      XCTAssertTrue(WrittenFile(path).isWritable)
      try WrittenFile(path).write(Data(text.utf8))
      XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), text)
    }
  }

  func testAFileThatCannotBeWrittenIsKnownBefore() throws {
    try write("a", to: "a.json")
    try FileManager.default.createSymbolicLink(atPath: path("dangling"), withDestinationPath: "none/b.json")
    try FileManager.default.createSymbolicLink(atPath: path("loop"), withDestinationPath: "loop")
    XCTAssertEqual(
      ["a.json", "new.json", "dangling", "loop", "none/c.json"].map { WrittenFile(path($0)).isWritable },
      [true, true, false, false, false])
  }

  func testWritesAtOnceEachWriteTheWholeFile() throws {
    let texts = (0..<8).map { Data(repeating: UInt8(48 + $0), count: 100_000) }
    let file = path("session.json")
    let failures = Locked<[String]>([])
    for _ in 0..<20 {
      DispatchQueue.concurrentPerform(iterations: texts.count) { index in
        do {
          try WrittenFile(file).write(texts[index])
          let read = try Data(contentsOf: URL(fileURLWithPath: file))
          if !texts.contains(read) { failures.withLock { $0.append("\(read.count) bytes") } }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    XCTAssertEqual(failures.withLock { $0 }, [])
    XCTAssertEqual(try names(), ["session.json"])
  }

  /// The limit of a file's size stands for a full disk; the signal that comes with it must be ignored.
  func testAFullDiskKeepsTheEarlierFile() throws {
    try write("earlier", to: "plan.json")
    try write(
      #"{"format": "tracking-session", "version": 1, "entries": [\#((0..<100).map { #"{"kind": "event", "name": "e\#($0)", "params": {}}"# }.joined(separator: ","))]}"#,
      to: "session.json")
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", #"trap '' XFSZ; ulimit -f 1; exec "$0" draft session.json --output plan.json 2>/dev/null"#,
      TestApp("tracking").executable.path,
    ]
    shell.currentDirectoryURL = folder
    try shell.run()
    shell.waitUntilExit()
    XCTAssertEqual(shell.terminationStatus, 2)
    XCTAssertEqual(try read("plan.json"), "earlier")
    XCTAssertEqual(try names(), ["plan.json", "session.json"])
  }
}
