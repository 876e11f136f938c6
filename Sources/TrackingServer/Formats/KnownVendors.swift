import StubModel

/// The vendors that `VendorFormats` knows.
///
/// A server looks up the conforming type by its name and doesn't import that module, so that targets without SDKs don't compile it.
package protocol VendorLink: AnyObject, SendableMetatype {
  /// The formats, each with the name of its static member: `segment`.
  static var formats: [(member: String, format: AcceptedFormat)] { get }
}

/// The vendors whose SDKs send events that the test hasn't accepted.
enum KnownVendors {
  private static let all: [(member: String, format: PreparedFormat)] = {
    let link = LinkedClass<any VendorLink.Type>("VendorFormats.VendorLinkage")
    return (link.type?.formats ?? []).compactMap { member, format in
      (try? PreparedFormat(format)).map { (member: member, format: $0) }
    }
  }()

  /// Names the vendor that a request seems to come from, and the call that accepts its events; `nil` for other requests, and if `VendorFormats` isn't
  /// linked.
  ///
  /// A path such as `/sessions` isn't enough; the body must hold an item of a known kind.
  static func hint(for request: ReceivedRequest, _ vocabulary: Vocabulary) -> String? {
    let fitting = all.filter { $0.format.fits(request) }
    guard case .submission(let submission, let format, _, _) = FormatResult(of: request, as: fitting.map(\.format)),
      submission.items.contains(where: { $0.kind != .other }),
      let member = fitting.first(where: { $0.format.format.name == format.name })?.member
    else { return nil }
    return "it looks like events of \(format.name), which are read after \(vocabulary.accepting(member))"
  }
}
