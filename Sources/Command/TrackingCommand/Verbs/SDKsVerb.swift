import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingServer
import VendorFormats

extension Verb {
  static let sdks = Verb(
    name: "sdks",
    abstract: "Lists the SDKs whose events `serve` understands, with the URL to give to each.",
    usage: ["[<name>] [--json]"],
    discussion: """
      The article SDKs.md says for each what to write in the app and what to switch off.
      """,
    examples: ["tracking sdks segment"],
    operands: .init(
      names: ["name"], isOptional: true, help: "One SDK's name; all of them by default.",
      completion: .words(SDKName.all.map(\.word))),
    options: [list]
  ) { arguments, output in
    let server = URL(string: "http://localhost:8080")
    let chosen = try arguments.operands.first.map { try [SDKName(word: $0)] } ?? SDKName.all
    let entries = chosen.map { sdk in
      (
        name: sdk.word, url: server.map { sdk.format.address(at: $0).absoluteString } ?? "",
        endpoints: sdk.format.endpoints.map { "\(StubEndpoint($0, []))" }.sorted()
      )
    }
    guard !arguments.has(list) else {
      try output.json(
        JSONTree(
          of: entries.map { entry -> TrackingValue in
            ["name": .string(entry.name), "url": .string(entry.url), "endpoints": entry.endpoints.trackingValue]
          }))
      return .success
    }
    for entry in entries {
      try output.line("\(entry.name.padded(to: 16)) \(entry.url)")
      if !arguments.operands.isEmpty { for endpoint in entry.endpoints { try output.line("  \(endpoint)") } }
    }
    return .success
  }

  private static let list = VerbOption.flag("--json", "Writes JSON: an array with name, url and endpoints of each.")
}

/// An SDK's name on the command line: in lower case, without spaces.
struct SDKName {
  let format: AcceptedFormat

  static let all = AcceptedFormat.allVendors.map(SDKName.init)

  init(_ format: AcceptedFormat) { self.format = format }

  /// - Parameter others: Other words that are allowed.
  init(word: String, others: [String] = []) throws(UsageError) {
    guard let sdk = Self.all.first(where: { $0.word == Self.word(word) }) else {
      let nearest = EditDistance.nearest(to: word, among: Self.all.map(\.word) + others)
      throw UsageError(
        "there is no SDK \(word)\(nearest.map { "; the nearest is \($0)" } ?? ""); `tracking sdks` lists all")
    }
    self = sdk
  }

  var word: String { Self.word(format.name) }

  private static func word(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
