/// Why a stub cannot be installed.
public enum StubError: Error, Hashable, Sendable {
  /// A file is missing, unreadable, a folder, or outside of its folder.
  case file(path: String, reason: String)
  /// A file is named without a folder, and there is none to look in.
  case noFolder(name: String)
  /// A path that is none, with the reason.
  case path(String, reason: String)
  /// A host that is none, for example with a scheme or a port.
  case host(String)
  /// A method that is none, because it is no token.
  case method(String)
  /// There is nothing to answer.
  case noResult
  /// An answer that cannot be given, with the reason.
  case result(String)
}

extension StubError: CustomStringConvertible {
  /// What is wrong, in words, with the value at fault.
  public var description: String {
    switch self {
    case .file(let path, let reason): "the stub file \(path) \(reason)"
    case .noFolder(let name):
      "the stub file \(name) has no folder: name one with `in:`, or set `stubFolder` in the configuration"
    case .path(let path, let reason): "the path \"\(path)\" \(reason)"
    case .host(let host): "the host \"\(host)\" is none: give its name alone, without scheme, port and path"
    case .method(let method): "the method \"\(method)\" is none: give a word like GET, or nil for any method"
    case .noResult: "there is nothing to answer: give at least one result"
    case .result(let reason): reason
    }
  }
}
