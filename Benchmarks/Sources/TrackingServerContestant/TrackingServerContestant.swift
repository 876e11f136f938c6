import Foundation
import TrackingInspector
import TrackingServer
import VendorFormats

/// `TrackingServer` as a program: prints its port and serves until its standard input ends.
///
/// With `--accept`, it takes the batches of Segment's SDKs; with `--inspect`, it opens its inspector and prints that URL too.
@main
enum TrackingServerContestant {
  static func main() throws {
    var configuration = TrackingServer.Configuration()
    configuration.limits.connections = 4_096
    // Enough for any run, so that what is measured is never a refusal.
    configuration.limits.journalEvents = .max
    configuration.limits.journalBodyBytes = .max
    let server = TrackingServer(configuration: configuration)
    if CommandLine.arguments.contains("--accept") { try server.accept(.segment) }
    try server.start()
    print(server.endpoint?.url.port ?? 0)
    if CommandLine.arguments.contains("--inspect") { print(server.openInspector()?.absoluteString ?? "") }
    fflush(nil)
    while readLine() != nil {}
    server.stop()
    FileHandle.standardError.write(
      Data("\(server.journal.events.count) events, \(server.journal.rejections.count) rejected\n".utf8))
  }
}
