import Foundation
import TrackingModel
import TrackingPatterns

/// A failed check: its kind, its message, and its line in the test.
public struct CheckFailure: Sendable {
  /// The kind of a failure, for tools that don't read text.
  public struct Kind: Hashable, Sendable {
    private enum Name: String, CaseIterable {
      case tooFew, tooMany, wrongOrder, unexpectedExtra, duplicate, rejected, lost, late, journalFull, notStarted
      case misuse, cancelled, unfinished, invalidStub, stubFailed
      case unmatchedRequest, unusedStub, brokenRule, changedFlow, unusablePlan, unusableRecording
    }

    private let name: Name

    /// Fewer events or requests arrived than expected.
    public static let tooFew = Kind(name: .tooFew)
    /// More events or requests arrived than expected, during the wait or after it.
    public static let tooMany = Kind(name: .tooMany)
    /// The events or requests arrived in the wrong order.
    public static let wrongOrder = Kind(name: .wrongOrder)
    /// An event or request arrived that the test didn't expect.
    public static let unexpectedExtra = Kind(name: .unexpectedExtra)
    /// Two equal events or requests arrived close together.
    public static let duplicate = Kind(name: .duplicate)
    /// A submission was rejected.
    public static let rejected = Kind(name: .rejected)
    /// A tracked event never arrived.
    public static let lost = Kind(name: .lost)
    /// A match arrived after the deadline of its wait.
    public static let late = Kind(name: .late)
    /// Submissions were refused because the journal is full.
    public static let journalFull = Kind(name: .journalFull)
    /// The server couldn't start.
    public static let notStarted = Kind(name: .notStarted)
    /// The verifier is used incorrectly: a blocking wait in a task, a mark from another server, an invalid check, or a use outside its test.
    public static let misuse = Kind(name: .misuse)
    /// The waiting task was cancelled.
    public static let cancelled = Kind(name: .cancelled)
    /// The test ended, or its verifier was stopped, during a wait.
    public static let unfinished = Kind(name: .unfinished)
    /// A stub, fault or format is invalid.
    public static let invalidStub = Kind(name: .invalidStub)
    /// The closure of a stub threw an error.
    public static let stubFailed = Kind(name: .stubFailed)
    /// No stub matches a request.
    public static let unmatchedRequest = Kind(name: .unmatchedRequest)
    /// A stub was never requested, or not all of its responses were sent.
    public static let unusedStub = Kind(name: .unusedStub)
    /// An event breaks the tracking plan or another rule.
    public static let brokenRule = Kind(name: .brokenRule)
    /// A flow of events differs from the recorded one, or no flow was recorded.
    public static let changedFlow = Kind(name: .changedFlow)
    /// The tracking plan can't be read, or a check needs a plan and there isn't one.
    public static let unusablePlan = Kind(name: .unusablePlan)
    /// A recorded backend can't be replayed, or a recording can't be made or written.
    public static let unusableRecording = Kind(name: .unusableRecording)
  }

  /// The failure's kind.
  public let kind: Kind
  /// The message: a first line of at most 120 characters with what was expected and what happened instead, then the details.
  public let message: String
  /// The check's place in the test.
  public let location: CodeLocation

  package init(kind: Kind, message: String, location: CodeLocation) {
    self.kind = kind
    self.message = message
    self.location = location
  }

  /// Creates a failure whose first line says what is wrong; the other lines say what to do.
  ///
  /// A `text` without a line break that is too long for the first line is divided between two of its clauses.
  package init(_ kind: Kind, _ text: String, at location: CodeLocation) {
    let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
    let parts = Self.divided(lines.first ?? "") + (lines.dropFirst().first?.components(separatedBy: "\n") ?? [])
    let message = ([parts[0]] + parts.dropFirst().map { Excerpt.wrapped($0) }).joined(separator: "\n")
    self.init(kind: kind, message: message, location: location)
  }

  private static func divided(_ text: String) -> [String] {
    guard text.count > Headline.width else { return [text] }
    if let clauses = clauses(of: text) { return clauses }
    // Shorten a path before the words.
    let words = text.components(separatedBy: " ").map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
    if let longest = words.max(by: { $0.count < $1.count }), longest.count > longestWord,
      let range = text.range(of: longest)
    {
      let short = text.replacingCharacters(in: range, with: Excerpt.of(longest, width: longestWord))
      if short.count <= Headline.width { return [short, "In full: \(longest)"] }
      if let clauses = clauses(of: short) { return clauses + ["In full: \(longest)"] }
    }
    return [Excerpt.of(text, width: Headline.width), text]
  }

  /// The maximum length of a word if the first line would be too long.
  private static let longestWord = 40

  /// Divides the text after the last clause that fits in a first line; `nil` if none does.
  private static func clauses(of text: String) -> [String]? {
    let line = text.prefix(Headline.width)
    let ends = ["; ", ". ", ": ", ", so ", ", but ", ", and "].compactMap { line.range(of: $0, options: .backwards) }
    guard let end = ends.max(by: { $0.lowerBound < $1.lowerBound }),
      text.distance(from: text.startIndex, to: end.lowerBound) >= shortestClause
    else { return nil }
    let rest = text[end.upperBound...]
    let period = rest.hasSuffix(".") ? "" : "."
    return [String(text[..<end.lowerBound]), rest.prefix(1).uppercased() + rest.dropFirst() + period]
  }

  /// The minimum length of a first clause that says enough.
  private static let shortestClause = 50
}

extension CheckFailure.Kind: CustomStringConvertible {
  package static var allCases: [CheckFailure.Kind] { Name.allCases.map(CheckFailure.Kind.init) }

  /// The kind's name: `tooFew`.
  public var description: String { name.rawValue }
}

/// A place in a test where a failure is shown.
public struct CodeLocation: Sendable {
  /// The file as the compiler identifies it: `CheckoutTests/CheckoutTests.swift`.
  public let fileID: StaticString
  /// The file's absolute path.
  public let file: StaticString
  /// The line number, from 1.
  public let line: UInt
  /// The column, from 1.
  public let column: UInt

  /// Creates a location; by default, the caller's.
  package init(
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.fileID = fileID
    self.file = file
    self.line = line
    self.column = column
  }
}

extension CodeLocation {
  /// A location without a line; its failures are shown at the test itself.
  package static let wholeTest = CodeLocation(fileID: "", file: "", line: 0, column: 0)
}
