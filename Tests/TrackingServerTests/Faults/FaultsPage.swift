import TestSupport

/// The documentation's page of faults: one row for each position and effect.
struct FaultsPage {
  let reports: [FaultReport]

  var markdown: String {
    """
    # Faults

    Each fault, and the error that curl and `URLSession` report for it.

    ## Overview

    A fault at `.accept` affects new connections, and injecting one resets idle ones before the call returns. A request that is under way gets its response,
    and then its connection ends.

    `Scripts/faults` writes this table. curl \(version) and `URLSession` of Linux's Foundation post ten bytes, with a timeout of
    one second; `URLSession` on Apple's platforms was not run, and has other codes. A dash means that the client has its
    response and reports no error. The message of a reset at `.accept` changes from run to run.

    | Position | Effect | curl | `URLError.Code` on Linux |
    |---|---|---|---|
    \(reports.map(Self.row).joined(separator: "\n"))
    """ + "\n"
  }

  /// The version of curl, for example `8.5.0`.
  let version: String

  private static func row(_ report: FaultReport) -> String {
    let code = report.urlSession.map { "`\($0)`" } ?? "-"
    return
      "| `\(report.fault.position)` | `\(report.fault.effect)` | \(cell(report.curl)) | \(code) |"
  }

  /// The text of a table's cell, with the characters escaped that Markdown would interpret.
  private static func cell(_ text: String?) -> String {
    (text ?? "-").replacing("|", with: "\\|").replacing("<", with: "&lt;")
  }

  /// The file of the page.
  static let file = URL(filePath: #filePath).appending(
    path: "../../../../Sources/TrackingServer/TrackingServer.docc/Faults.md"
  ).standardizedFileURL
}
