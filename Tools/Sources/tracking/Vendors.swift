import ArgumentParser
import Foundation
import TrackingModel
import TrackingPlanKit
import TrackingServer
import VendorFormats

struct Vendors: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vendors",
    abstract: "Lists the SDKs whose events `serve` understands, with the URL to give to each.",
    usage: "tracking vendors [<name>] [--json]",
    discussion: """
      The documentation has a page for each: what to write in the app, what to switch off, and how to flush it.

      Example: tracking vendors segment
      """)

  @Argument(
    help: "One SDK's name; all of them by default.", completion: .list(VendorName.all.map(\.word)),
    transform: { try VendorName(word: $0) })
  var name: VendorName?

  @Flag(help: "Writes JSON: an array with name, url and endpoints of each.")
  var json = false

  func run() throws {
    let server = URL(string: "http://localhost:8080")
    let entries = (name.map { [$0] } ?? VendorName.all).map { vendor in
      (
        name: vendor.word, url: server.map { vendor.format.address(at: $0).absoluteString } ?? "",
        endpoints: vendor.format.endpoints.map { "\(StubEndpoint($0, []))" }.sorted()
      )
    }
    guard !json else {
      let values = entries.map { entry -> TrackingValue in
        ["name": .string(entry.name), "url": .string(entry.url), "endpoints": entry.endpoints.trackingValue]
      }
      return showJSON(values, pretty: true)
    }
    for entry in entries {
      Output.line("\(entry.name.padding(toLength: 16, withPad: " ", startingAt: 0)) \(entry.url)")
      if name != nil { for endpoint in entry.endpoints { Output.line("  \(endpoint)") } }
    }
  }
}

/// A vendor's format by a word of the command line: its name in lower case, without spaces.
struct VendorName {
  let format: AcceptedFormat

  static let all = AcceptedFormat.allVendors.map(VendorName.init)

  init(_ format: AcceptedFormat) { self.format = format }

  /// - Parameter others: Words that are allowed there too.
  init(word: String, others: [String] = []) throws {
    guard let vendor = Self.all.first(where: { $0.word == Self.word(word) }) else {
      let hint = CommandLineTool.hint(for: word, among: Self.all.map(\.word) + others)
      throw ValidationError("there is no SDK \(word)\(hint.map { "; \($0)" } ?? ""); `tracking vendors` lists all")
    }
    self = vendor
  }

  var word: String { Self.word(format.name) }

  private static func word(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
