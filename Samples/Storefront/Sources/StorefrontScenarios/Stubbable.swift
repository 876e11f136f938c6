import Foundation
import StubModel

/// Something for which there are files to answer with, by a rule for their names: `product_success.json`.
nonisolated public protocol Stubbable {
  /// The first part of the file's name.
  var stubName: String { get }
  /// The extension of the file's name.
  var stubFileExtension: String { get }
}

nonisolated extension Stubbable {
  /// An answer in the words of StubModel.
  public func result(_ answer: StubAnswer) -> StubResponse {
    switch answer {
    case .file(let variant): .file("\(stubName)_\(variant.rawValue).\(stubFileExtension)", in: files)
    case .empty: .ok
    case .error(let code): .error(code)
    }
  }

  private var files: StubFolder { .bundle(.module, folder: "Stubs") }
}
