import TrackingPatterns

/// The part of a request that is known.
package enum KnownPart: Int, Comparable, Sendable {
  /// The method, the address, the path and the query.
  case line
  /// The line and the header fields.
  case head
  case all

  package static func < (left: KnownPart, right: KnownPart) -> Bool { left.rawValue < right.rawValue }
}

/// One look at a request: decides whether it meets conditions, and if it explains, has a row for each.
///
/// The same look decides and explains, so a failure can't contradict the check. Deciding stops at the first condition that isn't met and builds no
/// text; explaining finds them all.
package struct Look {
  /// Whether a condition is met, as far as can be told.
  package enum State: Int, Comparable, Sendable {
    case unmet
    /// Depends on a part of the request that isn't known yet, or on code, which runs only when all is known.
    case pending
    /// Depends on a text or a body that can't be read.
    case unread
    case met

    package static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }

    var inverted: State {
      switch self {
      case .unmet: .met
      case .met: .unmet
      case .pending, .unread: self
      }
    }
  }

  /// A condition beside the part of the request that it is about; what differs if the condition isn't met.
  struct Row: Hashable, Sendable {
    let difference: Difference
    fileprivate(set) var state = State.met

    init(_ difference: Difference) {
      self.difference = difference
    }

    /// By default, the sentence is "the path is /a, not /b"; `why` is the reason if the two texts alone don't show it.
    ///
    /// The weight is the request's distance from meeting the condition: from just above 0 to 1 for a completely different part.
    init(
      _ label: String, wanted: String, found: String, why: String? = nil, _ sentence: String? = nil, weight: Double
    ) {
      self.init(.part(label, expected: wanted, found: found, note: why, sentence: sentence, weight: weight))
    }

    fileprivate var distance: Double { state == .met ? 0 : difference.weight }
  }

  let parsed: ParsedRequest
  let knowing: KnownPart
  let explains: Bool
  package private(set) var state = State.met
  /// The text that the first unread condition can't read, in words.
  private(set) var doubt: String?
  private(set) var params: [String: String] = [:]
  private(set) var rows: [Row] = []

  init(at parsed: ParsedRequest, knowing: KnownPart = .all, explains: Bool = false) {
    (self.parsed, self.knowing, self.explains) = (parsed, knowing, explains)
  }

  /// Whether further conditions would change nothing.
  var isSettled: Bool { !explains && state == .unmet }

  /// Whether conditions may call code of a test.
  var callsCode: Bool { knowing == .all }

  private var weight: Double { rows.reduce(0) { $0 + $1.distance } }
}

// MARK: - Adding conditions

extension Look {
  /// Adds a condition.
  ///
  /// `doubt` says what can't be read, and is called only for an unread condition; `row` is called only to explain.
  mutating func add(
    _ state: State, doubt: @autoclosure () -> String = "", _ row: @autoclosure () -> Row
  ) {
    add(state)
    if state == .unread, self.doubt == nil { self.doubt = doubt() }
    guard explains else { return }
    rows.append(row())
    rows[rows.count - 1].state = state
  }

  /// Adds a condition without a row, which is for looks that don't explain.
  mutating func add(_ state: State) { self.state = min(self.state, state) }

  mutating func add(params: [String: String]) {
    if self.params.isEmpty { self.params = params } else { self.params.merge(params) { first, _ in first } }
  }

  /// Adds the conditions of a part, which are pending if the part isn't known.
  mutating func add(_ part: some RequestPart) {
    if part.known <= knowing { part.look(&self) } else { add(.pending) }
  }

  /// Adds the condition that the whole body was kept, without which nothing that depends on the body can be told; `false` if it wasn't.
  mutating func hasWholeBody() -> Bool {
    let (kept, size) = (parsed.request.body.count, parsed.bodySize)
    guard kept != size else { return true }
    let advice = "raise limits.\(kept == 0 ? "journalBodyBytes" : "recordedBodyBytes")"
    add(
      .unread, doubt: "only \(kept) of its \(size) bytes were kept",
      Row(
        "body", wanted: "all \(size) bytes", found: "\(kept) were kept: \(advice)",
        "only \(kept) of the body's \(size) bytes were kept: \(advice)", weight: 0.1))
    return false
  }

  /// Adds the conditions of two looks, of which each begins as if it were alone.
  mutating func both(_ left: (inout Look) -> Void, _ right: (inout Look) -> Void) {
    let first = looked(left)
    add(first, showing: first.rows)
    guard !isSettled else { return }
    let second = looked(right)
    add(second, showing: second.rows)
  }

  /// Adds the alternative that is met, or nearer to it; shows the one that differs less.
  mutating func either(_ left: (inout Look) -> Void, _ right: (inout Look) -> Void) {
    let first = looked(left)
    if first.state == .met, !explains { return add(first, showing: []) }
    let second = looked(right)
    let decisive = first.state == .met || first.state > second.state ? first : second
    add(decisive, showing: first.weight <= second.weight ? first.rows : second.rows)
  }

  /// Adds the opposite of what another look decides, in one row.
  mutating func negated(_ look: (inout Look) -> Void, _ row: (State, _ doubt: String) -> Row) {
    var other = Look(at: parsed, knowing: knowing)
    look(&other)
    let (state, doubt) = (other.state.inverted, other.doubt ?? "")
    add(state, doubt: doubt, row(state, doubt))
  }

  private func looked(_ look: (inout Look) -> Void) -> Look {
    var other = Look(at: parsed, knowing: knowing, explains: explains)
    look(&other)
    return other
  }

  private mutating func add(_ other: Look, showing rows: [Row]) {
    add(other.state)
    doubt = doubt ?? other.doubt
    add(params: other.params)
    self.rows += rows
  }
}
