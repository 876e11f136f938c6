import Foundation

/// The reason that a stub can't be installed.
public enum StubError: Error, Hashable, Sendable {
  /// A file is missing, unreadable, a folder, outside of its folder, or not JSON.
  case file(path: String, reason: String)
  /// A file is named without a folder, and there is no folder to look in.
  case noFolder(name: String)
  /// An invalid path, with the reason.
  case path(String, reason: String)
  /// An invalid host, for example with a scheme or a port.
  case host(String)
  /// An invalid method, which isn't a token (RFC 9110 5.6.2).
  case method(String)
  /// A condition that can't match anything, with the reason.
  case condition(String)
  /// There is no answer.
  case noResult
  /// An answer that can't be sent, with the reason.
  case result(String)
}

extension StubError: CustomStringConvertible {
  /// The reason, with the invalid value.
  public var description: String {
    switch self {
    case .file(let path, let reason): "the stub file \(path) \(reason)"
    case .noFolder(let name):
      "the stub file \(name) has no folder: name one with `in:`, or set `stubFolder` in the configuration"
    case .path(let path, let reason): "the path \"\(path)\" \(reason)"
    case .host(let host): "the host \"\(host)\" isn't valid: write its name alone, without scheme, port and path"
    case .method(let method): "the method \"\(method)\" isn't valid: write a word like GET, or nil for any method"
    case .condition(let reason): "a condition can't match anything: \(reason)"
    case .noResult: "it has no answer: add at least one result"
    case .result(let reason): reason
    }
  }
}

extension StubError {
  /// The text of an error that the code of a test has thrown: its `errorDescription`, since without one `localizedDescription` says nothing.
  package static func text(of error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }
}
