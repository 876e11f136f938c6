import Foundation

/// How a table of stubs reaches an app through its launch environment.
///
/// `TRACKING_STUBS` holds it as JSON in base64url (RFC 4648 5) without padding, so that no value holds an equals sign; a table that is too large for an environment
/// stands in a file that `TRACKING_STUBS_FILE` names. Files that stubs answer with travel as their content.
package enum StubsHandOver {
  package static let tableVariable = "TRACKING_STUBS"
  package static let fileVariable = "TRACKING_STUBS_FILE"

  /// Bytes of a variable; Linux takes 128 KiB for one, Apple's platforms 1 MiB for all.
  private static let longestVariable = 32 * 1_024

  /// The stubs with the content of their files in place of the files.
  ///
  /// - Throws: What is wrong with a stub.
  package static func standalone(_ stubs: [StubEndpoint], folder: StubFolder?) throws(StubError) -> [StubEndpoint] {
    var standalone: [StubEndpoint] = []
    for var stub in stubs {
      let prepared = try PreparedStub(stub, folder: folder)
      stub.results = prepared.results.map { result in
        guard case .bytes(let data) = result.content, case .file = result.result.content else { return result.result }
        var copy = result.result
        copy.content = .data(data, type: nil)
        return copy
      }
      standalone.append(stub)
    }
    return standalone
  }

  /// The variables that hand stubs over.
  ///
  /// - Parameter file: Where a table goes that is too large.
  package static func environment(for stubs: [StubEndpoint], file: () throws -> URL) throws -> [String: String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(stubs)
    let text = Base64URL.text(of: data)
    guard text.utf8.count > longestVariable else { return [tableVariable: text] }
    let url = try file()
    try data.write(to: url, options: .atomic)
    return [fileVariable: url.path(percentEncoded: false)]
  }

  /// The stubs that an environment hands over; `nil` when it hands none over.
  ///
  /// - Throws: What is wrong with the table.
  package static func stubs(in environment: [String: String]) throws(HandOverError) -> [StubEndpoint]? {
    let data: Data
    if let text = environment[tableVariable] {
      guard let decoded = Base64URL.data(of: text) else {
        throw HandOverError(reason: "\(tableVariable) is no base64url text")
      }
      data = decoded
    } else if let path = environment[fileVariable] {
      do {
        data = try Data(contentsOf: URL(filePath: path))
      } catch {
        throw HandOverError(
          reason: "\(fileVariable) names \(path), which cannot be read: \(error.localizedDescription)")
      }
    } else {
      return nil
    }
    do {
      return try JSONDecoder().decode([StubEndpoint].self, from: data)
    } catch {
      throw HandOverError(reason: "the table of stubs that was handed over is of another version: \(error)")
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
