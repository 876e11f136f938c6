import Foundation
import TrackingModel

/// Hands stubs over to an app through its launch environment.
///
/// `TRACKING_STUBS` is the table as JSON in base64url (RFC 4648 5) without padding, so that no value contains an equals sign. A table that is
/// too large for an environment is written to a file, and the variable is `file:` and its path. Files that stubs answer with travel as their
/// content; a folder travels as its path, which must exist for the app as well.
package enum StubsHandOver {
  private static let filePrefix = "file:"
  /// The longest variable in bytes: Linux allows 128 KiB for one, Apple's platforms 1 MiB for all.
  private static let longestVariable = 32 * 1_024

  /// The environment of an app whose stubs couldn't be handed over, so that it doesn't use its real backend instead.
  package static let unusable = LaunchVariable.stubs.environment(unusableTable)
  private static let unusableTable = "-"

  /// The environment that hands stubs over.
  ///
  /// - Parameter file: The location of the file for a table that is too large for a variable.
  package static func environment(for stubs: [HandedOverStub], file: () throws -> URL) throws -> [String: String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(stubs)
    let text = data.base64URL
    guard text.utf8.count > longestVariable else { return LaunchVariable.stubs.environment(text) }
    let url = try file()
    try data.write(to: url, options: .atomic)
    return LaunchVariable.stubs.environment(filePrefix + url.path(percentEncoded: false))
  }

  /// The stubs that an environment hands over; `nil` if it doesn't hand over any.
  ///
  /// - Throws: The reason that the table can't be used.
  package static func stubs(in environment: [String: String]) throws(HandOverError) -> [StubEndpoint]? {
    guard let text = LaunchVariable.stubs.value(in: environment) else { return nil }
    guard text != unusableTable else {
      throw HandOverError(reason: "the test that launched this process couldn't create a table of stubs")
    }
    guard text.hasPrefix(filePrefix) else {
      guard let data = Data(base64: text.utf8) else {
        throw HandOverError(reason: "\(LaunchVariable.stubs.name) isn't base64url text")
      }
      return try stubs(from: data, LaunchVariable.stubs.name)
    }
    let path = String(text.dropFirst(filePrefix.count))
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw HandOverError(
        reason: "\(LaunchVariable.stubs.name) names \(path), which can't be read: \(error.localizedDescription)")
    }
    return try stubs(from: data, "the file \(path)")
  }

  private static func stubs(from data: Data, _ source: String) throws(HandOverError) -> [StubEndpoint] {
    do {
      return try JSONDecoder().decode([HandedOverStub].self, from: data).map(\.stub)
    } catch {
      throw HandOverError(reason: "\(source) isn't a table of stubs, or is one of another version: \(error)")
    }
  }
}

/// The reason that stubs that were handed over can't be used.
package struct HandOverError: Error, Hashable, Sendable {
  package let reason: String

  package init(reason: String) {
    self.reason = reason
  }
}
