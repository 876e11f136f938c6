import TrackingModel

/// The changes of a test's recorded timeline that the test would notice, by event and param.
///
/// A mutant is the timeline with one change, such as a dropped event or another value of a param. A mutant is noticed if it changes the result of a
/// check. Reports exist only if mutants were requested, so a missing report says nothing about a test.
package struct MutationReport: Sendable, Equatable {
  /// The number of mutants on which the test's checks were repeated.
  package var tried = 0
  /// The number of tried mutants that a check noticed.
  package var noticed = 0
  /// The number of mutants that weren't tried, because only a closure that mustn't see them could notice them.
  package var untried = 0
  /// The choice of mutants, if there were too many to try all.
  package var sample: Sample?
  /// The reason that the test was left out, as a sentence; then there are no mutants, events and requests.
  package var leftOut: String?
  /// The received events, by name.
  package var events: [String: Subject] = [:]
  /// The app's requests, by method and path: `POST /orders`.
  package var requests: [String: Subject] = [:]

  package init() {}

  package struct Sample: Sendable, Equatable {
    /// The number of mutants from which the tried ones were chosen.
    package var of: Int
    /// The seed; the same seed chooses the same mutants of the same timeline.
    package var seed: UInt64

    package init(of count: Int, seed: UInt64) {
      (self.of, self.seed) = (count, seed)
    }
  }

  /// A change of whole events or requests.
  package enum Change: String, Sendable, CaseIterable {
    case missing
    /// The entry arrives twice.
    case doubled
    /// The event has another name.
    case renamed
    /// The entry is exchanged with its neighbour.
    case exchanged
    /// The event has one more param.
    case extended
  }

  /// A change of one value, of a kind that apps make by mistake; the raw value describes it in reports and the inspector.
  ///
  /// The inspector's page and `session.schema.json` name the same kinds, as a test checks.
  package enum ValueChange: String, Sendable, CaseIterable {
    case oneMore = "one more"
    case oneLess = "one less"
    case zero
    case letterMore = "a letter more"
    case letterChanged = "another first letter"
    case empty = "an empty text"
    case otherCase = "other letter case"
    case flipped = "the opposite"
    case secondLater = "a second later"
    case text = "a text for null"
    case elementDropped = "an element less"
    case elementDoubled = "an element twice"
    case reversed = "another order"
    case memberAdded = "a member more"
    case otherType = "another type"
    case null
    case dropped = "no value"
  }

  /// The findings about all events of a name, or all requests of a method and path.
  package struct Subject: Sendable, Equatable {
    package var noticed: Set<Change> = []
    /// The waits for the subject, weakest first.
    package var waits: [Wait] = []
    /// A line of Swift that would notice a missing event; `nil` if the test checks it.
    package var suggestion: String?
    /// The findings by path, as in a plan (`items[].price`) or in a request's JSON body.
    package var params: [String: Param] = [:]

    /// Whether the test notices a missing event or request.
    package var isChecked: Bool { noticed.contains(.missing) }

    package init() {}
  }

  package struct Wait: Sendable, Hashable {
    /// The test's line: `CheckoutTests.swift:48`.
    package var line: String
    /// The check in words: a noun phrase that completes "Expected …".
    package var words: String
    /// The condition in words that complete "waits for the event": `by name`, `by name and 2 of 5 params`.
    package var assertion: String

    package init(line: String, words: String, assertion: String) {
      (self.line, self.words, self.assertion) = (line, words, assertion)
    }
  }

  /// The reason that a change of a param's value is noticed, or that it may not be.
  package enum Pin: String, Sendable, CaseIterable {
    /// A check of the test notices it, or a condition of the request's stub.
    case check
    /// Only the tracking plan notices it.
    case plan
    /// No check notices it, but `require` returned the event, and its result can't be discarded.
    case returned
    /// No check notices it, unless the test checks the event that a wait returned.
    case discarded
    /// Only a closure of the test could notice some of the nearest changes, and it wasn't run with the changed value; or the sample has none.
    case untried
    /// Nothing notices it.
    case no
  }

  package struct Param: Sendable, Equatable {
    /// Whether the nearest other values are noticed: a number one more, a text with another letter, an inverted flag, a date one second later.
    package var pinned: Pin
    /// Whether at least other changes are noticed (0, an empty text, null, another type, a missing param): `.check` or `.plan`.
    package var partly: Pin?
    /// The changes that only the plan notices, if it doesn't pin the param: another type, no value.
    package var planned: Set<ValueChange> = []
    /// A changed value that a check notices, although a nearer one passes: `0`.
    package var noticed: String?
    /// A change that nothing notices: `121 for 120`, or `another UUID` if each run has another value.
    package var passing: String?
    /// One of the nearest changes that wasn't tried, if nothing else is known to pass: `119 for 120`.
    package var untried: String?
    /// The Swift code that would notice it, as an argument of a pattern: `params: ["total": 120]`.
    package var suggestion: String?

    package init(_ pinned: Pin) {
      self.pinned = pinned
    }
  }
}

// MARK: Writing

extension MutationReport {
  package var value: TrackingValue {
    TrackingValue(present: [
      "tried": tried, "noticed": noticed, "untried": untried,
      // As text, because JSON readers round large numbers.
      "sample": sample.map { ["of": .int($0.of), "seed": .string("\($0.seed)")] as TrackingValue },
      "leftOut": leftOut, "events": events.isEmpty ? nil : events.mapValues(\.value),
      "requests": requests.isEmpty ? nil : requests.mapValues(\.value),
    ])
  }
}

extension MutationReport.Subject {
  fileprivate var value: TrackingValue {
    TrackingValue(present: [
      "noticed": noticed.map(\.rawValue).sorted(), "waits": waits.isEmpty ? nil : waits.map(\.value),
      "suggestion": suggestion, "params": params.isEmpty ? nil : params.mapValues(\.value),
    ])
  }
}

extension MutationReport.Wait {
  fileprivate var value: TrackingValue {
    ["line": .string(line), "words": .string(words), "assertion": .string(assertion)]
  }
}

extension MutationReport.Param {
  fileprivate var value: TrackingValue {
    let planned = MutationReport.ValueChange.allCases.filter(planned.contains).map(\.rawValue)
    return TrackingValue(present: [
      "pinned": pinned.rawValue, "partly": partly?.rawValue, "planned": planned.isEmpty ? nil : planned,
      "noticed": noticed, "passing": passing, "untried": untried, "suggestion": suggestion,
    ])
  }
}

// MARK: Reading

extension MutationReport {
  /// Reads a report; `nil` if the value isn't one.
  package init?(_ value: TrackingValue) {
    guard let tried = value["tried"]?.count, let noticed = value["noticed"]?.count,
      let untried = value["untried"]?.count
    else { return nil }
    (self.tried, self.noticed, self.untried) = (tried, noticed, untried)
    if let sample = value["sample"] {
      guard let count = sample["of"]?.count, let seed = sample["seed"]?.stringValue.flatMap({ UInt64($0) }) else {
        return nil
      }
      self.sample = Sample(of: count, seed: seed)
    }
    leftOut = value["leftOut"]?.stringValue
    guard let events = Self.read(value["events"], Subject.init),
      let requests = Self.read(value["requests"], Subject.init)
    else { return nil }
    (self.events, self.requests) = (events, requests)
  }

  /// Reads all members; `nil` if one of them can't be read.
  fileprivate static func read<Part>(
    _ value: TrackingValue?, _ part: (TrackingValue) -> Part?
  ) -> [String: Part]? {
    let members = value?.objectValue ?? [:]
    let parts = members.compactMapValues(part)
    return parts.count == members.count ? parts : nil
  }
}

extension MutationReport.Subject {
  fileprivate init?(_ value: TrackingValue) {
    guard let changes = value["noticed"]?.arrayValue,
      let params = MutationReport.read(value["params"], MutationReport.Param.init)
    else { return nil }
    noticed = Set(changes.compactMap { $0.stringValue.flatMap { MutationReport.Change(rawValue: $0) } })
    waits = value["waits"]?.arrayValue?.compactMap { MutationReport.Wait($0) } ?? []
    suggestion = value["suggestion"]?.stringValue
    self.params = params
  }
}

extension MutationReport.Wait {
  fileprivate init?(_ value: TrackingValue) {
    guard let line = value["line"]?.stringValue, let words = value["words"]?.stringValue,
      let assertion = value["assertion"]?.stringValue
    else { return nil }
    self.init(line: line, words: words, assertion: assertion)
  }
}

extension MutationReport.Param {
  fileprivate init?(_ value: TrackingValue) {
    guard let pinned = value["pinned"]?.stringValue.flatMap({ MutationReport.Pin(rawValue: $0) }) else { return nil }
    self.pinned = pinned
    partly = value["partly"]?.stringValue.flatMap { MutationReport.Pin(rawValue: $0) }
    planned = Set(
      value["planned"]?.arrayValue?.compactMap { $0.stringValue.flatMap { MutationReport.ValueChange(rawValue: $0) } }
        ?? [])
    noticed = value["noticed"]?.stringValue
    passing = value["passing"]?.stringValue
    untried = value["untried"]?.stringValue
    suggestion = value["suggestion"]?.stringValue
  }
}

extension TrackingValue {
  fileprivate subscript(key: String) -> TrackingValue? { objectValue?[key] }
  fileprivate var count: Int? { intValue.flatMap { $0 < 0 ? nil : $0 } }
}
