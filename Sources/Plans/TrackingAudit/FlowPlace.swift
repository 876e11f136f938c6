import Foundation
import TrackingModel
import TrackingPatterns
import TrackingPlan
import TrackingVerifier

/// The folder that contains the recorded flows.
public struct FlowFolder: Sendable {
  fileprivate let bundle: (name: String, resources: URL)?

  /// The folder `__Snapshots__` next to the test's source file.
  public static let nextToTest = FlowFolder(bundle: nil)

  /// Returns the folder `__Snapshots__` among a bundle's resources, for tests that run where their sources are absent: on devices, on Xcode
  /// Cloud, and with `test-without-building` on another machine.
  ///
  /// ```swift
  /// verifier.assertFlow(in: .bundle(Bundle(for: Self.self)))     // .bundle(.module) in a package
  /// ```
  ///
  /// In a package the test target has the resources `.copy("__Snapshots__")`; in an Xcode project the folder is added to the target as a folder
  /// reference, which keeps its subfolders. Flows are still recorded next to the test's source file.
  public static func bundle(_ bundle: Bundle) -> FlowFolder {
    FlowFolder(bundle: (bundle.bundleURL.lastPathComponent, bundle.resourceURL ?? bundle.bundleURL))
  }
}

/// The file of a flow: `__Snapshots__/CheckoutTests/testBuying.1.txt`.
struct FlowPlace {
  private static let folderName = "__Snapshots__"

  private let path: String
  /// The test's source file, as the compiler saw it.
  private let source: URL
  private let folder: FlowFolder
  private let environment: [String: String]

  init(file: String, test: TestParts?, name: String, folder: FlowFolder, environment: [String: String]) {
    source = URL(fileURLWithPath: file)
    let suite = test?.suite ?? source.deletingPathExtension().lastPathComponent
    var parts = [test?.function ?? "test"]
    if case .text(let argument)? = test?.argument { parts.append(argument) }
    let title = (parts + [name]).map(Self.safe).joined(separator: ".")
    path = "\(Self.folderName)/\(Self.safe(suite))/\(title).txt"
    self.folder = folder
    self.environment = environment
  }

  private static let longest = 60

  /// Makes a text valid in a file's name; a hash distinguishes texts that would become equal.
  private static func safe(_ text: String) -> String {
    let safe = String(text.prefix(longest).map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" })
    guard safe != text else { return safe }
    let hash = text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return "\(safe)-\(String(hash, radix: 16))"
  }

  var fileName: String { URL(fileURLWithPath: path).lastPathComponent }

  /// The file that recording writes, next to the test's source file.
  private var written: URL { source.deletingLastPathComponent().appendingPathComponent(path) }
  private var read: URL { folder.bundle.map { $0.resources.appendingPathComponent(path) } ?? written }
  private var hasSources: Bool { FileManager.default.fileExists(atPath: source.path) }

  var recorded: String? { try? String(contentsOf: read, encoding: .utf8) }

  /// Records the flow if that is requested, and returns the failure message; `nil` if the flow matches the recorded one.
  ///
  /// `callSite` returns a sentence about the app's line that tracked the step at a position.
  func problem(with flow: EventFlow, callSite: (Int) -> String? = { _ in nil }) -> String? {
    switch TestVariable.flows.value(in: environment) {
    case nil: comparison(with: flow, callSite)
    case "record": recording(of: flow)
    case let value?: "\(TestVariable.flows.name) is \"\(value)\"; the only value is \"record\"."
    }
  }

  private func comparison(with flow: EventFlow, _ callSite: (Int) -> String?) -> String? {
    guard let recorded else { return missing(flow) }
    let known = EventFlow(text: recorded)
    let opened = flow.opened(like: known)
    guard opened != known else { return nil }
    let first = opened.firstDifference(from: known)
    let place: Headline = first.map { "; the first difference is \($0.words)" } ?? ""
    let headline: Headline = "The flow differs from the recorded one\(place)"
    let site = first?.position.flatMap(callSite).map { "\n\($0)" } ?? ""
    return """
      \(headline.line)\(site)

      - recorded, + now:
      \(opened.difference(from: known))

      It is recorded in \(read.path). If it changed on purpose, \(Self.advice).
      """
  }

  private static let advice =
    "run the test with \(TestVariable.flows.name)=record (xcodebuild: TEST_RUNNER_\(TestVariable.flows.name)=record), review the file and commit it"

  private func missing(_ flow: EventFlow) -> String {
    let reason =
      if let bundle = folder.bundle {
        """
        The flow isn't recorded: the bundle has no such resource
        \(bundle.name) has no resource \(path). If the file exists, add its folder \(Self.folderName) to the test target: in a package as the resource .copy("\(Self.folderName)"), in Xcode as a folder reference.
        """
      } else if hasSources {
        "The flow isn't recorded: there is no file \(Excerpt.of(fileName, width: 60))\nThe file would be \(read.path)."
      } else {
        """
        The flow can't be read, because the test's sources aren't on this machine
        Read it from the test's bundle: `assertFlow(in: .bundle(...))`.
        """
      }
    return "\(reason)\nTo record it, \(Self.advice), or save this text as \(path):\n\n\(Self.excerpt(of: flow))"
  }

  private func recording(of flow: EventFlow) -> String {
    if let ci = environment["CI"], !ci.isEmpty {
      return "\(TestVariable.flows.name) is \"record\", and CI is set: on CI flows are only compared."
    }
    guard hasSources else {
      return """
        The flow isn't recorded, because the test's sources aren't on this machine
        Save this text as \(path):

        \(Self.excerpt(of: flow))
        """
    }
    do {
      try FileManager.default.createDirectory(
        at: written.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(flow.text.utf8).write(to: written)
    } catch {
      return """
        The flow isn't recorded, because its file can't be written: \(Excerpt.of(FileReason.of(error), width: 50))
        The file is \(written.path). Save this text, which is also attached to the test if attachments are kept, as \(path):

        \(Self.excerpt(of: flow))
        """
    }
    let steps = flow.steps.count.counted("step")
    return """
      The flow was recorded (\(steps)), so this test fails once: review it and commit it
      It is in \(written.path). Then run the test without \(TestVariable.flows.name).
      """
  }

  private static let mostLines = 200

  /// The beginning of a flow for a failure; the attachment has the whole flow.
  private static func excerpt(of flow: EventFlow) -> String {
    let lines = flow.text.split(separator: "\n")
    let rest = lines.count - mostLines
    return lines.prefix(mostLines).joined(separator: "\n")
      + (rest > 0 ? "\n... \(rest.counted("more line")), which the attachment has" : "")
  }
}
