import TestSupport
@testable import TrackingSockets

final class WakePipeTests: XCTestCase {
  private func isReadable(_ pipe: WakePipe) -> Bool {
    Socket(descriptor: pipe.readDescriptor).wait(for: Int32(POLLIN), until: .now)
  }

  func testItIsReadableFromAWakingUntilItIsDrained() throws {
    let pipe = try WakePipe()
    XCTAssertFalse(isReadable(pipe))
    for _ in 1...3 {
      pipe.wake()
      pipe.wake()
      XCTAssertTrue(isReadable(pipe))
      pipe.drain()
      XCTAssertFalse(isReadable(pipe))
      pipe.drain()
      XCTAssertFalse(isReadable(pipe))
    }
  }

  func testAMillionWakingsDoNotFillIt() throws {
    let pipe = try WakePipe()
    for _ in 1...1_000_000 { pipe.wake() }
    XCTAssertTrue(isReadable(pipe))
    pipe.drain()
    XCTAssertFalse(isReadable(pipe))
  }

  func testNoWakingOfManyThreadsIsLost() throws {
    let pipe = try WakePipe()
    let work = Locked(0)
    for _ in 1...8 {
      let thread = Thread {
        for _ in 1...2_000 {
          work.withLock { $0 += 1 }
          pipe.wake()
        }
      }
      thread.start()
    }
    // Drained before looking, so whatever is not seen now wakes again.
    var done = 0
    let socket = Socket(descriptor: pipe.readDescriptor)
    while done < 16_000 {
      guard socket.wait(for: Int32(POLLIN), until: soon) else { return XCTFail("woken for \(done) of 16000") }
      pipe.drain()
      work.withLock { work in
        done += work
        work = 0
      }
    }
  }

  func testWakingsAfterTheEndDoNothing() throws {
    let pipe = try WakePipe()
    pipe.wake()
    pipe.close()
    pipe.close()
    // A descriptor that is opened now may get a number that the pipe had; the closed pipe must not write to it.
    let other = try WakePipe()
    for _ in 1...100 {
      pipe.wake()
      pipe.drain()
    }
    XCTAssertFalse(isReadable(other))
  }
}
