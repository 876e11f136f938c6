import Foundation

/// The answer of a ``Stubbable`` endpoint.
nonisolated public enum StubAnswer {
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
  /// No answer at all, but an error.
  case error(URLError.Code)
}
