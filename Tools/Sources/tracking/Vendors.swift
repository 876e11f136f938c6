import ArgumentParser
import Foundation
import TrackingServer
import TrackingVendors

struct Vendors: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the SDKs whose events are understood, with the URL that each is given.",
    discussion: """
      The pages of the documentation say for each what an app writes, what is switched off, and how it is flushed.

      Example: tracking vendors segment
      """)

  @Argument(help: "One SDK's name; all of them by default.", completion: .list(VendorName.all.map(\.word)))
  var name: VendorName?

  @Flag(help: "Writes JSON.")
  var json = false

  private struct Entry: Encodable {
    let name: String
    let url: String
    let endpoints: [String]
  }

  func run() throws {
    let server = URL(string: "http://localhost:8080")
    let entries = (name.map { [$0] } ?? VendorName.all).map { vendor in
      Entry(
        name: vendor.word, url: server.map { vendor.format.address(at: $0).absoluteString } ?? "",
        endpoints: vendor.format.endpoints.map { "\($0)" }.sorted())
    }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return print(String(decoding: try encoder.encode(entries), as: UTF8.self))
    }
    for entry in entries {
      print("\(entry.name.padding(toLength: 16, withPad: " ", startingAt: 0)) \(entry.url)")
      if name != nil { for endpoint in entry.endpoints { print("  \(endpoint)") } }
    }
  }
}

/// A vendor's format by a word of the command line: its name in lower case, without spaces.
struct VendorName: ExpressibleByArgument {
  let format: AcceptedFormat

  static let all = AcceptedFormat.allVendors.map(VendorName.init)

  init(_ format: AcceptedFormat) { self.format = format }

  init?(argument: String) {
    guard let vendor = Self.all.first(where: { $0.word == Self.word(argument) }) else { return nil }
    self = vendor
  }

  var word: String { Self.word(format.name) }

  static var allValueStrings: [String] { all.map(\.word) }

  private static func word(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
