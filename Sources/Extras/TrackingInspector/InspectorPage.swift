import TrackingServer

/// The inspector's page; `Scripts/embed-inspector` embeds it from the folder `Inspector/`.
enum InspectorPage {
  /// The page without a session, which requests one from its server.
  static let live = Array((head + tail).utf8)

  /// The maximum number of bytes of entries in a report, which with the page stays at a few hundred kilobytes.
  static let mostReportBytes = 240_000

  /// The page with a session in it: one file that needs no server.
  static func report(_ document: SessionDocument) -> String {
    report(json: document.json(endingWithin: mostReportBytes))
  }

  static func report(json: [UInt8]) -> String {
    var page = Array(head.utf8)
    page += Array("<script type=\"application/json\" id=\"session\">".utf8)
    // A script element ends at the first `</script`, whatever it holds; JSON has `<` only in strings, where it may be escaped.
    for byte in json {
      if byte == UInt8(ascii: "<") { page += Array("\\u003c".utf8) } else { page.append(byte) }
    }
    page += Array("</script>\n".utf8)
    return String(decoding: page + Array(tail.utf8), as: UTF8.self)
  }
}
