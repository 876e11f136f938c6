import TestSupport
@testable import TrackingChecks
@testable import TrackingVerifier

/// The documentation's page of failures: one section for each kind.
struct GalleryPage {
  let exhibits: [Exhibit]

  /// The kinds that have nothing to show.
  var emptyKinds: [CheckFailure.Kind] {
    CheckFailure.Kind.allCases.filter { kind in !exhibits.contains { $0.kind == kind } }
  }

  var markdown: String {
    let sections = CheckFailure.Kind.allCases.filter { !emptyKinds.contains($0) }.map(section)
    return ([Self.introduction] + sections).joined(separator: "\n\n") + "\n"
  }

  private func section(of kind: CheckFailure.Kind) -> String {
    (["## \(Self.words(kind))\n\nReported as ``CheckFailure/Kind/\(kind)``."]
      + exhibits.filter { $0.kind == kind }.map(\.markdown))
      .joined(separator: "\n\n")
  }

  /// `tooFew` as "Too few".
  private static func words(_ kind: CheckFailure.Kind) -> String {
    let words = "\(kind)".reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)" }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private static let introduction = """
    # Gallery of failures

    What each kind of failure says, word for word.

    ## Overview

    `Scripts/gallery` writes this page with the code that reports failures to tests, and the library's own tests fail
    when the page differs from that code. Times and launches are examples. <doc:ReadingFailures> explains the parts.
    """
}

extension GalleryPage {
  /// The file of the page.
  static let file = URL(filePath: #filePath).appending(
    path: "../../../../../Sources/TrackingVerifier/TrackingVerifier.docc/Gallery.md"
  ).standardizedFileURL
}
