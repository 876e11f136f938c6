import TestSupport

/// The documentation's page of faults: one row for each position and effect.
struct FaultsPage {
  let reports: [FaultReport]

  var markdown: String {
    """
    # What clients say of faults

    Each fault, and the error that curl and `URLSession` report for it.

    ## Overview

    `Scripts/faults` writes this page from a run: each client posts ten bytes to a stub that answers ten bytes and has
    the fault, on a separate connection. The library's tests run the same and fail when a fault isn't an error, or when
    one after the answer is; they do not compare messages, which are the clients'.

    This is what curl \(version) and `URLSession` of Linux's Foundation said, with a timeout of one second each, which is
    what ends a stall. `URLSession` on Apple's platforms is another program, was not run, and names other codes: a test
    that asks for one asks for the code that it saw there. A dash stands for no error: the client has its answer and
    leaves, or notices with its next request on the connection. A reset at `accept` finds some clients still connecting
    and others already sending, so its message changes from run to run.

    A fault at `accept` befalls new connections, and injecting one resets the connections that are idle: a client that keeps
    its connection open would not notice it otherwise. A request that is under way is answered, and then its connection ends.

    A stub's fault at `requestHead` or `requestBody` waits for the whole request if a stub that is tried before it looks at the
    body or has a closure, since only then is it known which of them answers. It still comes in place of the answer.

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
