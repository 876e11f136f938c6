import Foundation

/// The response of a ``Stubbable`` endpoint.
nonisolated public enum PlannedResponse {
  /// One of an endpoint's files.
  public enum Variant: String {
    case success
    case nothing
    case screenshots
  }

  /// 200 with the content of a file.
  case file(Variant)
  /// 200 without a body.
  case empty
  /// An error in place of a response.
  case error(URLError.Code)
}
