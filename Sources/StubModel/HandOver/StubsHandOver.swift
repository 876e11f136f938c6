import Foundation
import TrackingModel

/// How a table of stubs reaches an app through its launch environment.
///
/// `TRACKING_STUBS` holds it as JSON in base64url (RFC 4648 5) without padding, so that no value holds an equals sign; a table that is
/// too large for an environment stands in a file that `TRACKING_STUBS_FILE` names. Files that stubs answer with travel as their content;
/// a folder travels as its path, which has to be there for the app, too.
package enum StubsHandOver {
  package static let scenarioArgument = "-StubScenario"

  /// Bytes of a variable; Linux takes 128 KiB for one, Apple's platforms 1 MiB for all.
  private static let longestVariable = 32 * 1_024

  /// The stubs with the content of their files in place of the files.
  ///
  /// - Throws: What is wrong with a stub.
  package static func standalone(_ stubs: [StubEndpoint], folder: StubFolder?) throws(StubError) -> [StubEndpoint] {
    var standalone: [StubEndpoint] = []
    for var stub in stubs {
      let prepared = try PreparedStub(stub, folder: folder)
      for result in prepared.results where result.result.isBoundToItsProcess {
        throw .result("an answer that a gate holds, or a stream, cannot go to another process; use verifier.stub")
      }
      stub.results = prepared.results.map { result in
        guard case .bytes(let data) = result.content, case .file = result.result.content else { return result.result }
        var copy = result.result
        copy.content = .data(Data(data), type: nil)
        return copy
      }
      standalone.append(stub)
    }
    return standalone
  }

  /// What hands over that there is nothing to use, so that an app does not go to its real backend for want of stubs.
  package static let unusable = LaunchVariable.stubs.environment(unusableTable)
  private static let unusableTable = "-"

  /// The variables that hand stubs over.
  ///
  /// - Parameter file: Where a table goes that is too large.
  package static func environment(for stubs: [StubEndpoint], file: () throws -> URL) throws -> [String: String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(stubs)
    let text = Base64URL.text(of: data)
    guard text.utf8.count > longestVariable else { return LaunchVariable.stubs.environment(text) }
    let url = try file()
    try data.write(to: url, options: .atomic)
    return LaunchVariable.stubsFile.environment(url.path(percentEncoded: false))
  }

  /// The stubs that an environment hands over; `nil` when it hands none over.
  ///
  /// - Throws: What is wrong with the table.
  package static func stubs(in environment: [String: String]) throws(HandOverError) -> [StubEndpoint]? {
    if let text = LaunchVariable.stubs.value(in: environment) {
      guard text != unusableTable else {
        throw HandOverError(reason: "the test that launched this process could not make a table of stubs")
      }
      guard let data = Base64URL.data(of: text) else {
        throw HandOverError(reason: "\(LaunchVariable.stubs.name) is no base64url text")
      }
      return try stubs(from: data, LaunchVariable.stubs.name)
    }
    guard let path = LaunchVariable.stubsFile.value(in: environment) else { return nil }
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw HandOverError(
        reason: "\(LaunchVariable.stubsFile.name) names \(path), which cannot be read: \(error.localizedDescription)")
    }
    return try stubs(from: data, "the file \(path)")
  }

  private static func stubs(from data: Data, _ source: String) throws(HandOverError) -> [StubEndpoint] {
    do {
      return try JSONDecoder().decode([StubEndpoint].self, from: data)
    } catch {
      throw HandOverError(reason: "\(source) holds no table of stubs, or one of another version: \(error)")
    }
  }
}

/// Why stubs that were handed over cannot be used.
package struct HandOverError: Error, Hashable, Sendable {
  package let reason: String

  package init(reason: String) {
    self.reason = reason
  }
}

extension StubResult {
  fileprivate var isBoundToItsProcess: Bool {
    if case .stream = content { return true }
    if case .gate = bodyStart { return true }
    return gate != nil
  }
}
