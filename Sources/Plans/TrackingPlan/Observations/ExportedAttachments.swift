import Foundation
import TrackingJSON
import TrackingModel

/// A folder written by `xcrun xcresulttool export attachments`: the attachments of a test run, and a `manifest.json`.
///
/// The manifest is an array with a `testIdentifier` and `attachments` for each test. An attachment has `exportedFileName`,
/// `suggestedHumanReadableName`, `configurationName`, `deviceId`, and, where they apply, `repetitionNumber` and `arguments`.
package struct ExportedAttachments {
  package static let manifest = "manifest.json"
  /// The end of the name of an attachment with an observation; Xcode adds an index and a UUID.
  package static let observationName = "tracking-observation"

  private let folder: URL
  private let tests: [JSONTree]

  package init(at folder: URL) throws(PlanError) {
    self.folder = folder
    let url = folder.appendingPathComponent(Self.manifest)
    guard let data = FileManager.default.contents(atPath: url.path) else {
      throw PlanError(file: url.relativePath, reason: "can't be read")
    }
    guard let tests = (try? JSONTree(data))?.elements, tests.allSatisfy({ $0["attachments"] != nil }) else {
      throw PlanError(
        file: url.relativePath,
        reason: "is not the manifest that `xcrun xcresulttool export attachments` writes: an array with `attachments`")
    }
    self.tests = tests
  }

  /// Returns all observations, and those of the last repetition of each test, on each device and in each configuration.
  package func observations() throws(PlanError) -> (last: [Observation], all: [Observation]) {
    var found: [[String?]: (repetition: Int, observations: [Observation])] = [:]
    var order: [[String?]] = []
    var all: [Observation] = []
    for test in tests {
      let attachments = test["attachments"]
      for attachment in attachments?.elements ?? attachments.map({ [$0] }) ?? [] {
        guard attachment["suggestedHumanReadableName"]?.string?.contains(Self.observationName) == true else { continue }
        let observation = try observation(in: attachment)
        all.append(observation)
        let key =
          [
            test["testIdentifier"]?.string ?? observation.test, attachment["configurationName"]?.string,
            attachment["deviceId"]?.string,
          ] + (attachment["arguments"]?.elements?.compactMap(\.string) ?? [])
        let repetition = attachment["repetitionNumber"]?.int ?? 0
        if found[key] == nil { order.append(key) }
        let known = found[key] ?? (repetition, [])
        if repetition > known.repetition {
          found[key] = (repetition, [observation])
        } else if repetition == known.repetition {
          found[key] = (repetition, known.observations + [observation])
        }
      }
    }
    return (order.flatMap { found[$0]?.observations ?? [] }, all)
  }

  private func observation(in attachment: JSONTree) throws(PlanError) -> Observation {
    guard let name = attachment["exportedFileName"]?.string, name == URL(fileURLWithPath: name).lastPathComponent else {
      throw PlanError(
        file: folder.appendingPathComponent(Self.manifest).relativePath,
        reason: "an attachment has no \"exportedFileName\" in its own folder")
    }
    let url = folder.appendingPathComponent(name)
    guard let data = FileManager.default.contents(atPath: url.path) else {
      throw PlanError(file: url.relativePath, reason: "is in the manifest, but can't be read")
    }
    guard let line = data.split(separator: 0x0A).first, let observation = Observation(line: line) else {
      throw PlanError(file: url.relativePath, reason: "is not an observation")
    }
    return observation
  }
}
