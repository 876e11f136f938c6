import StubModel

/// The vendors that `VendorFormats` knows.
///
/// A server must not import that module, so that targets without SDKs don't compile it. It looks up the type that conforms by its name.
package protocol VendorLink: AnyObject, SendableMetatype {
  /// The formats, each with the name of its static member: `segment`.
  static var formats: [(member: String, format: AcceptedFormat)] { get }
}

/// The vendors whose SDKs send events that no test has accepted.
enum KnownVendors {
  private static let all: [(member: String, format: PreparedFormat)] = {
    let link = LinkedClass<any VendorLink.Type>("VendorFormats.VendorLinkage")
    return (link.type?.formats ?? []).compactMap { member, format in
      (try? PreparedFormat(format)).map { (member: member, format: $0) }
    }
  }()

  /// The vendor whose events a request seems to have, and how they are accepted; `nil` for other requests, and if `VendorFormats` isn't linked.
  ///
  /// A path alone doesn't count, since `/sessions` may be anything; the body must hold an item of a known kind.
  static func hint(for request: ReceivedRequest, _ advice: Advice) -> String? {
    let fitting = all.filter { $0.format.fits(request) }
    guard case .submission(let submission, let format, _, _) = FormatResult(of: request, as: fitting.map(\.format)),
      submission.items.contains(where: { $0.kind != .other }),
      let member = fitting.first(where: { $0.format.format.name == format.name })?.member
    else { return nil }
    return "it looks like events of \(format.name), which are read after \(advice.accepting(member))"
  }
}
