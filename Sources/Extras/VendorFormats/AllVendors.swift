import Foundation
import TrackingServer

extension AcceptedFormat {
  /// All vendors' formats at their default paths, ordered by vendor.
  ///
  /// Use it for a server that records whatever arrives. A test should accept only its app's formats, so that events in other formats are rejected.
  package static let allVendors: [AcceptedFormat] = [
    .amplitude, .aptabase, .countly, .customerIO, .datadog, .googleAnalytics, .heap, .instana, .mParticle,
    .matomo, .mixpanel, .openPanel, .openTelemetry, .postHog, .rudderStack, .segment, .snowplow, .statsig,
    .telemetryDeck,
  ]
}

/// Lists the known vendors for a server, which finds this class by its name.
package final class VendorLinkage: VendorLink {
  package static var formats: [(member: String, format: AcceptedFormat)] {
    AcceptedFormat.allVendors.map { (member(of: $0.name), $0) }
  }

  /// The name of a vendor's static member: `googleAnalytics` for `Google Analytics`, `customerIO` for `Customer.io`.
  private static func member(of name: String) -> String {
    let words = name.split { !$0.isLetter }
    let rest = words.dropFirst().map { $0.count == 2 ? $0.uppercased() : String($0) }
    return words.prefix(1).map { $0.prefix(1).lowercased() + $0.dropFirst() }.joined() + rest.joined()
  }
}
