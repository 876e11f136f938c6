import TestSupport

@testable import TrackingPatterns

/// Journals, and which of their events a failure must name as the nearest miss.
final class NearestMissTests: XCTestCase {
  private struct Row {
    let journal: String
    let pattern: EventPattern
    let misses: [TrackingEvent]
    let nearest: Int
    var line: UInt = #line
  }

  private static let total = EventPattern.named("purchase", params: ["total": 100])

  private static func purchase(_ params: [TrackingParam: TrackingValue]) -> TrackingEvent {
    TrackingEvent(name: "purchase", params: params)
  }

  private let rows = [
    Row(
      journal: "a misspelt name before another event altogether",
      pattern: .equal(to: .purchase),
      misses: [.tapped, .purchase.named("purchse"), TrackingEvent(name: "refund", params: [:])], nearest: 1),
    Row(
      journal: "a misspelt name with the right params before the right name with two wrong ones",
      pattern: .equal(to: .purchase),
      misses: [.purchase.with("total", 1).with("currency", "USD"), .purchase.named("purchases")], nearest: 1),
    Row(
      journal: "the right name with a wrong value before another event with the right params",
      pattern: .equal(to: .purchase),
      misses: [.purchase.named("screen_shown"), .purchase.with("total", 1)], nearest: 1),
    Row(
      journal: "a wrong value before a missing one",
      pattern: total, misses: [purchase([:]), purchase(["total": 120])], nearest: 1),
    Row(
      journal: "a wrong value before one of a wrong type",
      pattern: total, misses: [purchase(["total": "much"]), purchase(["total": 99])], nearest: 1),
    Row(
      journal: "the same text of a wrong type before a value far off",
      pattern: total, misses: [purchase(["total": 7]), purchase(["total": "100"])], nearest: 1),
    Row(
      journal: "near numbers before far ones",
      pattern: total,
      misses: [
        purchase(["total": 1]), purchase(["total": 99]), purchase(["total": 1_000_000]), purchase(["total": 98]),
      ],
      nearest: 1),
    Row(
      journal: "numbers near a bound before those far from it",
      pattern: .named("purchase", params: ["total": .greater(than: 100)]),
      misses: [purchase(["total": 0]), purchase(["total": 100]), purchase(["total": -500])], nearest: 1),
    Row(
      journal: "one extra param before two, when no others are allowed",
      pattern: total.exact(),
      misses: [
        purchase(["total": 100, "a": 1, "b": 2]), purchase(["total": 100, "c": 1]), purchase(["total": 5, "c": 1]),
      ],
      nearest: 1),
    Row(
      journal: "an extra param before a missing one",
      pattern: .equal(to: .purchase),
      misses: [.purchase.with("gift", .none), .purchase.with("debug", true)], nearest: 1),
    Row(
      journal: "a misspelt param before a missing one",
      pattern: .named("purchase", params: ["product_id": "42"]),
      misses: [purchase(["screen": "cart"]), purchase(["productId": "42"]), purchase([:])], nearest: 1),
    Row(
      journal: "one wrong leaf of a nested param before two",
      pattern: .equal(to: purchase(["items": [["id": "1", "price": 2], ["id": "2", "price": 3]]])),
      misses: [
        purchase(["items": [["id": "1", "price": 9], ["id": "2", "price": 9]]]),
        purchase(["items": [["id": "1", "price": 2], ["id": "2", "price": 9]]]),
        purchase(["items": []]),
      ], nearest: 1),
    Row(
      journal: "texts with few wrong letters before others",
      pattern: .named("seen", params: [.screen: "main_screen"]),
      misses: ["settings", "main_sceen", "cart"].map { TrackingEvent(name: "seen", params: [.screen: $0]) }, nearest: 1),
    Row(
      journal: "of alternatives, the one that is nearest",
      pattern: .named("refund", params: ["total": 1]).or(.named("purchase", params: ["total": 100])),
      misses: [TrackingEvent(name: "shown", params: ["total": 1]), purchase(["total": 101]), .tapped], nearest: 1),
    Row(
      journal: "of equally near ones, the later",
      pattern: total,
      misses: [purchase(["total": 101, "n": 1]), purchase(["total": 101, "n": 2]), purchase(["total": 300])], nearest: 1
    ),
  ]

  func testTheNearestMissOfEachJournal() {
    for row in rows {
      let misses = row.misses.compactMap { row.pattern.mismatch(of: $0) }
      XCTAssertEqual(misses.count, row.misses.count, row.journal, line: row.line)
      XCTAssertEqual(
        NearestMiss.index(in: misses), row.nearest, "\(row.journal): \(misses.map(\.distance))", line: row.line)
    }
  }

  func testWithoutEventsNothingIsNearest() {
    XCTAssertNil(NearestMiss.index(in: []))
  }
}
