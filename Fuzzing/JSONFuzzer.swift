import Foundation
import TrackingModel

@testable import TrackingJSON
@testable import TrackingServer

/// Takes one text: the reader must agree with Foundation's where both accept, and with itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  // Read where the fuzzer put it, so that one byte too far is noticed.
  JSONFuzzer(text: UnsafeBufferPointer(start: start, count: count)).run()
  return 0
}

private struct JSONFuzzer {
  let text: UnsafeBufferPointer<UInt8>

  func run() {
    switch reading(maximumDepth: 512) {
    case .success(let value):
      compareWithFoundation(value)
      compareWithWriter(value)
      compareIntake(value)
    case .failure(let error):
      check(error)
      check(expectNoEvents())
      explainRefusal(error)
    }
    // A limit of depth refuses, and changes nothing else.
    if case .success(let value) = reading(maximumDepth: 3) {
      require(reading(maximumDepth: 512), is: value, "within three levels")
    }
  }

  private func reading(maximumDepth: Int) -> Result<TrackingValue, JSONError> {
    var reader = JSONReader(text, maximumDepth: maximumDepth)
    do throws(JSONError) {
      let value = try reader.value()
      try reader.end()
      return .success(value)
    } catch {
      return .failure(error)
    }
  }

  private func compareWithFoundation(_ value: TrackingValue) {
    guard let wanted = foundationValue(), !agree(value, wanted) else { return }
    fatalError("\(value) is \(wanted) to Foundation")
  }

  private func agree(_ value: TrackingValue, _ other: TrackingValue) -> Bool {
    switch (value, other) {
    case (.array(let values), .array(let others)):
      values.count == others.count && zip(values, others).allSatisfy(agree)
    case (.object(let members), .object(let others)):
      members.count == others.count
        && members.allSatisfy { key, value in others[key].map { agree(value, $0) } ?? false }
    default: isSame(value, other) || isRounded(value, other)
    }
  }

  /// Equal to the last scalar, and numbers in the same case.
  private func isSame(_ value: TrackingValue, _ other: TrackingValue) -> Bool {
    JSONParsing.value(value).description == JSONParsing.value(other).description
  }

  /// Whether two numbers are neighbours where Foundation cuts fractions off: it reads 190071992547409931.7 as the integer before the point.
  private func isRounded(_ value: TrackingValue, _ other: TrackingValue) -> Bool {
    guard text.contains(where: { [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0) }),
      let number = self.number(value), let other = self.number(other), abs(number) >= 0x1p53
    else { return false }
    return abs(number - other) <= number.ulp
  }

  private func number(_ value: TrackingValue) -> Double? {
    switch value {
    case .int(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }

  private func foundationValue() -> TrackingValue? {
    try? JSONDecoder().decode(TrackingValue.self, from: Data(text))
  }

  /// Writes the value and reads it again; the result must be the same.
  private func compareWithWriter(_ value: TrackingValue) {
    var writer = JSONWriter()
    writer.write(value)
    let again = writer.bytes.withUnsafeBufferPointer { JSONFuzzer(text: $0).reading(maximumDepth: 512) }
    require(again, is: value, "written and read again")
  }

  /// Checks that the intake reads the same events as the reader.
  private func compareIntake(_ value: TrackingValue) {
    let events: [TrackingEvent]
    do throws(JSONError) {
      events = try EventReader(maximumDepth: 512).events(in: text)
    } catch {
      check(error)
      return
    }
    let elements = if case .array(let elements) = value { elements } else { [value] }
    guard elements.count == events.count else { fatalError("\(elements.count) events were read as \(events.count)") }
    for (element, event) in zip(elements, events) {
      guard case .object(let members) = element else { fatalError("an event was read from \(element)") }
      var wanted: [String: TrackingValue] = ["name": .string(event.name)]
      wanted["params"] = .object(Dictionary(uniqueKeysWithValues: event.params.map { ($0.key.key, $0.value) }))
      wanted["at"] = event.callSite.map { .string($0.text) }
      // Missing params and empty ones are the same event, and so are an empty call site and none.
      var found = members["params"] == nil ? members.merging(["params": [:]]) { $1 } : members
      if found["at"] == "" { found["at"] = nil }
      checkCallSite(of: event)
      require(.success(.object(found)), is: .object(wanted), "as an event")
    }
  }

  /// Checks that a call site is the text of its parts.
  private func checkCallSite(of event: TrackingEvent) {
    guard let site = event.callSite else { return }
    guard site.text.utf8.count <= CallSite.longest, site.text.utf8.starts(with: site.fileID.utf8),
      site.line.map({ $0 >= 0 }) ?? site.text.utf8.elementsEqual(site.fileID.utf8)
    else { fatalError("\(site.text) is \(site.fileID) and \(site.line ?? -1)") }
  }

  private func expectNoEvents() -> JSONError {
    do throws(JSONError) {
      let events = try EventReader(maximumDepth: 512).events(in: text)
      fatalError("events were read from invalid JSON: \(events)")
    } catch {
      return error
    }
  }

  /// Every refusal has a place in the text, and a path that is no longer than a line or ten.
  private func check(_ error: JSONError) {
    guard (0...text.count).contains(error.offset), error.path.utf8.count < 2_000, !error.reason.isEmpty else {
      fatalError("a refusal without a place: \(error)")
    }
  }

  /// Checks that a text that Foundation accepts was refused for a known reason.
  private func explainRefusal(_ error: JSONError) {
    // Foundation takes UTF-16 and UTF-32 as well, which RFC 8259 8.1 does not allow between systems; each has NULs or begins in a mark.
    guard !text.contains(0), !text.starts(with: [0xFE, 0xFF]), !text.starts(with: [0xFF, 0xFE]) else { return }
    // Foundation's decoder goes 512 levels deep, and ends the process where the text ends right behind the next bracket.
    guard text.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) <= 512 else { return }
    // Of two values under one key the decoder never looks at the first; the older reader does.
    guard foundationValue() != nil,
      (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
    else { return }
    guard Self.knownReasons.contains(where: error.reason.hasPrefix) else {
      fatalError("Foundation takes this, and the reader does not: \(error)")
    }
  }

  /// The known reasons: a value can't be carried exactly, or Foundation is more lenient than RFC 8259.
  private static let knownReasons = [
    "this key appears twice",
    "this key is canonically equivalent",
    "more than 30 combining characters follow one another in a key",
    "neither 64 bits nor a double hold the integer",
    "a double cannot hold the number",
    "expected a value, found a byte order mark",
    // A comma behind the last element.
    "expected a value, found \"]\"",
    "expected a key in quotes, found \"}\"",
  ]

  private func require(_ found: Result<TrackingValue, JSONError>, is wanted: TrackingValue, _ how: String) {
    if case .success(let value) = found, isSame(value, wanted) { return }
    fatalError("\(how): \(found) and not \(wanted)")
  }
}
