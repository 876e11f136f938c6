import BareLoop
import FlyingFox
import Foundation
import Measuring
import TrackingServer

/// The time that it takes to start a server and to stop it again.
///
/// Each round measures every contestant once, in random order.
@main
enum LifeCycle {
  static func main() async throws {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 200
    let contestants: [(Subject, () async throws -> Void)] = [
      (Subject("start + stop", "a C socket loop", .floor), startAndStopBareLoop),
      (Subject("start + stop", "TrackingServer", .ours), startAndStopTrackingServer),
      (Subject("start + stop", "FlyingFox", .peer), startAndStopFlyingFox),
    ]
    var samples = Samples()
    for _ in 0..<rounds {
      for (subject, startAndStop) in contestants.shuffled() {
        let began = moment()
        try await startAndStop()
        samples.add((moment() - began).microseconds, of: subject)
      }
    }
    samples.write(inOrderOf: contestants.map(\.0))
  }

  private static func startAndStopBareLoop() {
    guard let loop = bareLoopStart() else { fatalError("a bare loop could not be started") }
    bareLoopStop(loop)
  }

  private static func startAndStopTrackingServer() throws {
    let server = TrackingServer()
    try server.start()
    server.stop()
  }

  private static func startAndStopFlyingFox() async throws {
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    let run = Task { try await server.run() }
    try await server.waitUntilListening()
    await server.stop(timeout: 0)
    _ = await run.result
  }
}
