import Foundation
import TrackingModel

/// Passes stubs to an app through its launch environment.
///
/// `TRACKING_STUBS` is the table as JSON in base64url (RFC 4648 5) without padding, so that no value contains an equals sign. A table that is too
/// large for a variable stays with the verifier; the variable is then `fetch:` and the name by which the app fetches it. Set by hand, it may also
/// be `file:` and the path of a file with the table. Stubs' files travel as content, folders as paths, which must exist for the app as well.
package enum StubsInEnvironment {
  private static let filePrefix = "file:"
  // Not a file that the test writes: an app on a device or in a sandbox can't read the folders of the test's process.
  private static let fetchPrefix = "fetch:"

  /// For an app whose stubs couldn't be passed, so that it doesn't use its real backend instead.
  package static let unusable = LaunchVariable.stubs.environment(unusableTable)
  private static let unusableTable = "-"

  /// The environment that passes stubs.
  ///
  /// `keep` stores a table that is too large for a variable until the app fetches it, and returns its name.
  package static func environment(
    for stubs: [PortableStub], keep: (Data) -> String
  ) throws -> [String: String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(stubs)
    let text = data.base64URL
    guard text.utf8.count > longestVariable else { return LaunchVariable.stubs.environment(text) }
    return LaunchVariable.stubs.environment(fetchPrefix + keep(data))
  }

  /// The stubs in an environment, if any; throws the reason why the table can't be used.
  ///
  /// `fetch` requests a table by name from the verifier; `nil` if the verifier doesn't have it.
  package static func stubs(
    in environment: [String: String], fetch: (String) -> Data?
  ) throws(StubsInEnvironmentError) -> [StubEndpoint]? {
    guard let text = LaunchVariable.stubs.value(in: environment) else { return nil }
    guard text != unusableTable else {
      throw StubsInEnvironmentError(reason: "the test that launched this process couldn't create a table of stubs")
    }
    if text.hasPrefix(fetchPrefix) {
      guard let data = fetch(String(text.dropFirst(fetchPrefix.count))) else {
        throw StubsInEnvironmentError(
          reason: """
            the table of stubs is too large for \(LaunchVariable.stubs.name), and the verifier that keeps it didn't send it: has \
            its test ended, or does the launch lack other variables of `stubsEnvironment`?
            """)
      }
      return try stubs(from: data, "the verifier's table")
    }
    guard text.hasPrefix(filePrefix) else {
      guard let data = Data(base64: text.utf8) else {
        throw StubsInEnvironmentError(reason: "\(LaunchVariable.stubs.name) isn't base64url text")
      }
      return try stubs(from: data, LaunchVariable.stubs.name)
    }
    let path = String(text.dropFirst(filePrefix.count))
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw StubsInEnvironmentError(
        reason: "\(LaunchVariable.stubs.name) names \(path), which can't be read: \(FileReason.of(error))")
    }
    return try stubs(from: data, "the file \(path)")
  }

  private static func stubs(from data: Data, _ source: String) throws(StubsInEnvironmentError) -> [StubEndpoint] {
    do {
      return try JSONDecoder().decode([PortableStub].self, from: data).map(\.stub)
    } catch {
      throw StubsInEnvironmentError(reason: "\(source) isn't a table of stubs, or is one of another version: \(error)")
    }
  }
}

package struct StubsInEnvironmentError: Error, Hashable, Sendable {
  package let reason: String

  package init(reason: String) {
    self.reason = reason
  }
}
