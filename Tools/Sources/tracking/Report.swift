import ArgumentParser
import Foundation
import TrackingInspector

struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Turns a session.json into one HTML file that opens from disk.",
    discussion: "Example: tracking report session.json --output report.html")

  @Argument(
    help: "A session.json: of `tracking serve --save`, or the attachment of a failed test.",
    completion: .file(extensions: ["json"]))
  var session: String

  @Option(name: .shortAndLong, help: "Where the report is written to.", completion: .file(extensions: ["html"]))
  var output = "report.html"

  func run() throws {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: session))
    } catch {
      throw refusal("tracking report: \(session) can't be read: \(error.localizedDescription)")
    }
    switch try? JSONDecoder().decode(Version.self, from: data).version {
    case 1: break
    case let version?: throw refusal("tracking report: \(session) is of version \(version); version 1 is read")
    case nil:
      throw refusal("tracking report: \(session) is no session.json: it has no member \"version\" that is a number")
    }
    do {
      try Data(InspectorReport.html(session: data).utf8).write(to: URL(fileURLWithPath: output))
    } catch {
      throw refusal("tracking report: \(output) can't be written: \(error.localizedDescription)")
    }
  }

  private struct Version: Decodable {
    let version: Int
  }
}
