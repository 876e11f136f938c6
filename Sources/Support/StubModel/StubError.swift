import Foundation
import TrackingPatterns

/// The reason why a stub can't be installed.
package struct StubError: Error, PatternRefusal, Hashable, CustomStringConvertible {
  package let description: String
  package var isImpossible = false
  /// A sentence that says what to write instead in a check.
  package private(set) var advice: String?

  /// - Parameter text: Without a period at its end, because messages continue it.
  private init(_ text: String) { description = text.hasSuffix(".") ? String(text.dropLast()) : text }

  /// The file is missing, unreadable, a folder, outside of its folder, or not JSON.
  package static func file(path: String, reason: String) -> StubError { StubError("the stub file \(path) \(reason)") }
  package static func noFolder(name: String) -> StubError {
    StubError("the stub file \(name) has no folder: name one with `in:`, or set `stubFolder` in the configuration")
  }
  package static func path(_ path: String, reason: String) -> StubError { StubError("the path \"\(path)\" \(reason)") }
  /// For example with a scheme or a port.
  package static func host(_ host: String) -> StubError {
    StubError("the host \"\(host)\" isn't valid: write its name alone, without scheme, port and path")
  }
  /// The method isn't a token (RFC 9110 5.6.2).
  package static func method(_ method: String) -> StubError {
    StubError("the method \"\(method)\" isn't valid: write a word like GET, or .any")
  }
  package static func method(_ method: String, meant: String) -> StubError {
    StubError("the method \"\(method)\" isn't one that clients send: write \(meant)")
  }
  package static func status(_ status: Int) -> StubError {
    StubError("no response has the status \(status): a status is from 100 to 599")
  }
  package static func emptyName(of part: String) -> StubError {
    StubError("no request has a \(part) with an empty name")
  }
  package static func condition(_ problem: PatternProblem) -> StubError {
    var error = StubError("a condition can't match anything: \(problem.reason)")
    error.isImpossible = problem.isImpossible
    return error
  }
  /// The parts of a combined pattern exclude each other.
  package static func combination(_ problem: PatternProblem) -> StubError {
    var error = StubError(problem.reason)
    (error.isImpossible, error.advice) = (problem.isImpossible, problem.advice)
    return error
  }
  package static let noResult = StubError("it has no response: add at least one")
  /// The response can't be sent.
  package static func result(_ reason: String) -> StubError { StubError(reason) }
}

extension StubError {
  /// The text of an error thrown by a test's code: its `errorDescription`, since without one `localizedDescription` is useless.
  package static func text(of error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }
}
