import Foundation
import StubModel

/// An endpoint whose responses are files, named by a rule: `product_success.json`.
nonisolated public protocol Stubbable {
  /// The first part of the file's name.
  var stubName: String { get }
  /// The extension of the file's name.
  var stubFileExtension: String { get }
}

nonisolated extension Stubbable {
  /// The response as StubModel's type.
  public func result(_ response: PlannedResponse) -> StubResponse {
    switch response {
    case .file(let variant): .file("\(stubName)_\(variant.rawValue).\(stubFileExtension)", in: files)
    case .empty: .ok
    case .error(let code): .error(code)
    }
  }

  private var files: StubFolder { .bundle(.module, folder: "Stubs") }
}
