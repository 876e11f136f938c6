import ArgumentParser
import Dispatch
import Foundation
import TrackingInspector
import TrackingPlan
import TrackingServer
import TrackingVendors

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Receives an app's events, prints them as they arrive, and shows them on a live page.",
    discussion: """
      Listens on this machine's loopback addresses only. Ctrl-C ends it: with --save, what has arrived is then written as session.json. \
      The exit status is 1 when an event was not as planned, or \
      something could not be read.

      Example: tracking serve --accept segment --plan tracking-plan.json
      """)

  @Option(
    help:
      "SDKs whose events are understood beside the double's: names of `tracking vendors` with commas between, or all.")
  var accept: Accepted = .init(formats: [])

  @Option(help: "A tracking plan that each event is held against: a file or a folder.", completion: .file())
  var plan: String?

  @Option(help: "Only events that are planned for this source, such as iOS.")
  var source: String?

  @Option(help: "The port; the system chooses one by default.")
  var port: UInt16 = 0

  @Option(help: "Where the session is written to at the end.", completion: .file(extensions: ["json"]))
  var save: String?

  @Flag(help: "Prints each event as one line of JSON.")
  var json = false

  func run() throws {
    let plan = try self.plan.map(read)
    let server = TrackingServer(configuration: .init(port: port))
    do {
      try server.start()
      for format in accept.formats { try server.accept(format) }
    } catch {
      throw refusal("tracking serve: \(error)")
    }
    guard let endpoint = server.endpoint else { throw refusal("tracking serve: the server has stopped") }
    let interruption = Interruption()
    let console = Console(json: json)
    console.begin(endpoint, accept.formats)
    // Says its URL itself.
    server.openInspector()

    var (events, rejections, findings) = (0, 0, 0)
    func showNews() {
      for event in server.journal.events.dropFirst(events) {
        events += 1
        let reasons = plan?.findings(in: event.event).map(\.description) ?? []
        findings += reasons.isEmpty ? 0 : 1
        console.show(event, reasons)
      }
      for rejection in server.journal.rejections.dropFirst(rejections) {
        rejections += 1
        console.show(rejection)
      }
    }
    while !interruption.comes(within: .milliseconds(50)) { showNews() }
    server.stop()
    showNews()
    if let save { try write(server.sessionJSON, to: save) }
    console.end(events: events, rejections: rejections, findings: plan == nil ? nil : findings)
    if findings > 0 || rejections > 0 { throw Status.findings }
  }

  private func read(_ path: String) throws -> TrackingPlan {
    do {
      return try TrackingPlan(contentsOf: URL(fileURLWithPath: path), source: source)
    } catch {
      throw refusal("tracking serve: \(error)")
    }
  }

  private func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path))
    } catch {
      throw refusal("tracking serve: \(path) can't be written: \(error.localizedDescription)")
    }
  }
}

/// The value of `--accept`.
struct Accepted: ExpressibleByArgument {
  var formats: [AcceptedFormat]

  init(formats: [AcceptedFormat]) { self.formats = formats }

  init?(argument: String) {
    guard argument != "all" else {
      formats = AcceptedFormat.allVendors
      return
    }
    formats = []
    for word in argument.split(separator: ",") {
      guard let vendor = VendorName(argument: String(word)) else { return nil }
      formats.append(vendor.format)
    }
  }

  var defaultValueDescription: String { "none" }
}

/// Ctrl-C, and a request to end: the first is waited for, the second ends the process at once.
final class Interruption {
  private let arrival = DispatchSemaphore(value: 0)
  private var sources: [any DispatchSourceSignal] = []

  init() {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [arrival] in
        signal(number, SIG_DFL)
        arrival.signal()
      }
      source.resume()
      sources.append(source)
    }
  }

  func comes(within time: DispatchTimeInterval) -> Bool {
    arrival.wait(timeout: .now() + time) == .success
  }
}
