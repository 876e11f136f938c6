// Likely mistakes, and what the compiler says about each; compared by Scripts/check misuse.
import Foundation
import TrackingVerifier
import XCTest

struct Rated: TrackingSchema, Equatable {
  static let eventName = "rated"
  var stars: Int
}

// MISTAKE: a misspelt check
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .nmed("purchase")) }
// > reference to member 'nmed' cannot be resolved without a contextual type

// MISTAKE: a misspelt check with an outcome
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .inOder([.named("a"), .named("b")])) }
// > reference to member 'inOder' cannot be resolved without a contextual type
// > type 'Any' has no member 'named'

// MISTAKE: a misspelt pattern in a list
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .inOrder([.named("a"), .nmed("b")])) }
// > type 'EntryPattern' has no member 'nmed'

// MISTAKE: a wrong label
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("purchase", parms: ["total": 1])) }
// > incorrect argument label in call (have '_:parms:', expected '_:params:')

// MISTAKE: params without a label
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("purchase", ["total": 1])) }
// > missing argument label 'params:' in call

// MISTAKE: a matcher that doesn't exist
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("purchase", params: ["total": .above(1)])) }
// > type 'ValueMatcher' has no member 'above'

// MISTAKE: a variable among matchers
func mistake(_ verifier: TrackingVerifier, _ id: String) {
  verifier.wait(for: .named("purchase", params: ["id": id, "total": .greater(than: 1)]))
}
// > cannot convert value of type 'String' to expected dictionary value type 'ValueMatcher'

// MISTAKE: a name in the place of a pattern
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: "purchase") }
// > no exact matches in call to instance method 'wait'

// MISTAKE: a list in the place of a check
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: [.named("a"), .named("b")]) }
// > no exact matches in call to instance method 'wait'
// > type 'Any' has no member 'named'

// MISTAKE: patterns that aren't in a list
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .inOrder(.named("a"), .named("b"))) }
// > 'inOrder' is unavailable: patterns are in a list: write .inOrder([.named("a"), .named("b")])

// MISTAKE: patterns of any order that aren't in a list
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .inAnyOrder(.named("a"), .named("b"))) }
// > 'inAnyOrder' is unavailable: patterns are in a list: write .inAnyOrder([.named("a"), .named("b")])

// MISTAKE: consecutive patterns that aren't in a list
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .consecutive(.named("a"), .request(.get, "/b"))) }
// > 'consecutive' is unavailable: patterns are in a list: write .consecutive([.named("a"), .named("b")])

// MISTAKE: a number in a variable as a count
func mistake(_ verifier: TrackingVerifier, _ taps: Int) { verifier.wait(for: .named("tap"), count: taps) }

// MISTAKE: a range to a variable as a count
func mistake(_ verifier: TrackingVerifier, _ taps: Int) { verifier.wait(for: .named("tap"), count: 1...taps) }

// MISTAKE: half-open and one-sided ranges as a count
func mistake(_ verifier: TrackingVerifier, _ taps: Int) {
  verifier.wait(for: .named("tap"), count: 0..<taps)
  verifier.wait(for: .named("tap"), count: ...2)
  verifier.wait(for: .named("tap"), count: ..<3)
}

// MISTAKE: a text as a count
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("tap"), count: "2") }
// > instance method 'wait(for:count:since:timeout:fileID:file:line:column:)' requires that 'String' conform to 'EventCountConvertible'

// MISTAKE: a count of an absence
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .none(of: .named("tap")), count: 2) }
// > generic parameter 'Entry' could not be inferred
// > member chain produces result of type 'TrackingCheck<CheckOutcome>' but contextual base was inferred as 'TrackingCheck<Entry?>'
// > referencing static method 'none(of:within:)' on 'TrackingCheck' requires the types 'Entry?' and 'CheckOutcome' be equivalent

// MISTAKE: a count of a type without a check
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: Rated.self, count: 2) }
// > cannot convert value of type 'Rated.Type' to expected argument type 'TrackingCheck<Entry?>'
// > generic parameter 'Entry' could not be inferred

// MISTAKE: a count of a typed event
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: Rated(stars: 5), count: 2) }
// > cannot convert value of type 'Rated' to expected argument type 'TrackingCheck<Entry?>'
// > generic parameter 'Entry' could not be inferred

// MISTAKE: a type in the place of a check
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: Rated.self) }
// > no exact matches in call to instance method 'wait'

// MISTAKE: a type and a closure in the place of a check
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: Rated.self) { $0.stars > 3 } }
// > cannot convert value of type 'Rated.Type' to expected argument type 'TrackingCheck<Entry?>'

// MISTAKE: a type to require
func mistake(_ verifier: TrackingVerifier) async throws { try await verifier.require(Rated.self) }
// > cannot convert value of type 'Rated.Type' to expected argument type 'TrackingCheck<CheckOutcome>'

// MISTAKE: the absence of a type
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .none(of: Rated.self)) }
// > cannot convert value of type 'Rated.Type' to expected argument type 'EntryPattern'

// MISTAKE: types in an order
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .inOrder([Rated.self])) }
// > cannot convert value of type 'Rated.Type' to expected element type 'EntryPattern'

// MISTAKE: a misspelt check of everything
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .nothingelse()) }
// > reference to member 'nothingelse' cannot be resolved without a contextual type

// MISTAKE: duplicates without a time
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .noDuplicates()) }
// > missing argument for parameter 'within' in call

// MISTAKE: a request without a method
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .request("/login")) }
// > missing argument for parameter #2 in call

// MISTAKE: a closure of a name
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("tap") { $0.params["n"] == 1 }) }
// > reference to member 'named' cannot be resolved without a contextual type

// MISTAKE: an enumeration without raw values among params
enum Kind { case run }
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("set", params: ["kind": Kind.run])) }
// > cannot convert value of type 'Kind' to expected dictionary value type 'ValueMatcher'

// MISTAKE: a variable in a nested literal
func mistake(_ verifier: TrackingVerifier, _ id: String) {
  verifier.wait(for: .named("purchase", params: ["items": [["id": id, "total": .greater(than: 1)]]]))
}
// > cannot convert value of type 'String' to expected dictionary value type 'ValueMatcher'

// MISTAKE: a comparison of a param with a number in a variable
func mistake(_ event: TrackingEvent?, _ reps: Int) { XCTAssertEqual(event?.params["reps"], reps) }
// > failed to produce diagnostic for expression; please submit a bug report (https://swift.org/contributing/#reporting-bugs)

// MISTAKE: the case of a value in place of its number
func mistake(_ event: TrackingEvent) { XCTAssertEqual(event.params["reps"]?.int, 12) }
// > cannot convert value of type '(@Sendable (Int) -> TrackingValue)?' to expected argument type 'Int'
// > enum case 'int' cannot be used as an instance member

// MISTAKE: a cast of a param
func mistake(_ event: TrackingEvent) -> Int? { event.params["reps"] as? Int }

// MISTAKE: the JSON of a request that may be missing
func mistake(_ request: RecordedRequest?) throws { let _: [String: String] = try request?.json([String: String].self) }
// > cannot convert value of type 'Optional<_>' to specified type '[String : String]'
// > value of type 'RecordedRequest' has no member 'json'

// MISTAKE: a file of a module without a bundle
func mistake(_ verifier: TrackingVerifier) { verifier.stub(.get, "/a", .file("a.json", in: .module)) }
// > cannot infer contextual base in reference to member 'module'
// > type '[StubResponse]' has no member 'file'

// MISTAKE: values of a param without their import
func mistake(_ verifier: TrackingVerifier) { _ = verifier.values(for: "u") }
// > value of type 'TrackingVerifier' has no member 'values'

// MISTAKE: a pattern in a variable
func mistake(_ verifier: TrackingVerifier, _ pattern: EventPattern) { verifier.wait(for: pattern) }
// > no exact matches in call to instance method 'wait'

// MISTAKE: patterns in variables
func mistake(_ verifier: TrackingVerifier, _ patterns: [EventPattern]) { verifier.wait(for: .inOrder(patterns)) }
// > cannot convert value of type '[EventPattern]' to expected argument type '[EntryPattern]'

// MISTAKE: a condition in the place of a response
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: Rated(stars: 5)) { $0.stars > 3 } }
// > cannot convert value of type 'Rated' to expected argument type 'TrackingCheck<Entry?>'
// > generic parameter 'Entry' could not be inferred
// > type '(_) -> Bool' cannot conform to 'EventCountConvertible'

// MISTAKE: a typed event that isn't Sendable
final class Settings { var theme = "" }
struct Themed: TrackingSchema {
  static let eventName = "themed"
  var settings: Settings
}
// > stored property 'settings' of 'Sendable'-conforming struct 'Themed' has non-Sendable type 'Settings'
// > type 'Themed' does not conform to protocol 'Decodable'
// > type 'Themed' does not conform to protocol 'Encodable'

// MISTAKE: a typed event without a name
struct Nameless: TrackingSchema { var stars: Int }
// > type 'Nameless' does not conform to protocol 'TrackingSchema'

// MISTAKE: await forgotten
func mistake(_ verifier: TrackingVerifier) async { verifier.wait(for: .named("purchase")) }
// > expression is 'async' but is not marked with 'await'

// MISTAKE: try forgotten
func mistake(_ verifier: TrackingVerifier) async { await verifier.require(.named("purchase")) }
// > call can throw, but it is not marked with 'try' and the error is not handled

// MISTAKE: a typed condition that uses a param's name wrongly
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .typed(Rated.self) { $0.star > 3 }) }
// > reference to member 'typed' cannot be resolved without a contextual type

// MISTAKE: a typed condition that uses a param's name wrongly, with the type of its parameter
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .typed(Rated.self) { (it: Rated) in it.star > 3 }) }
// > value of type 'Rated' has no member 'star'

// MISTAKE: a typed condition in a list that uses a param's name wrongly
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .inOrder([.typed(Rated.self) { $0.star > 3 }])) }
// > cannot convert value of type '[Any]' to expected argument type '[EntryPattern]'
// > type 'Any' has no member 'typed'

// MISTAKE: a typed condition of an action that uses a param's name wrongly
func mistake(_ verifier: TrackingVerifier) { verifier.expect(.typed(Rated.self) { $0.star > 3 }) {} }
// > value of type 'Rated' has no member 'star'

// MISTAKE: a type of two modules
import Shop
import ShopEvents
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .typed(Paid.self)) }
// > ambiguous use of 'typed(_:_:where:)'

// MISTAKE: a type of two modules, with its module
import Shop
import ShopEvents
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .typed(ShopEvents.Paid.self)) }

// MISTAKE: a pattern's closure that captures a variable of the test
func mistake(_ verifier: TrackingVerifier) {
  var seen = 0
  verifier.wait(
    for: .satisfying("any") { _ in
      seen += 1; return true
    })
}
// > mutation of captured var 'seen' in concurrently-executing code

// MISTAKE: asking a request for params
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .request(.get, "/books", params: ["id": 1])) }
// > extra argument 'params' in call

// MISTAKE: params beside a pattern
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("purchase"), params: ["total": 1]) }
// > extra argument 'params' in call

// MISTAKE: seconds beside an absence
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .none(of: .named("purchase")), within: 2) }
// > extra argument 'within' in call

// MISTAKE: conditions of a stub without a pattern
func mistake(_ verifier: TrackingVerifier) { verifier.stub(.get, "/x", query: ["a": "1"], .json([:])) }
// > 'stub(_:_:query:headers:body:_:times:name:)' is unavailable: conditions belong to a pattern: write stub(.request(.get, "/x", query: ...), ...)

// MISTAKE: a stub that asks for its response
func mistake(_ verifier: TrackingVerifier) { verifier.stub(.request(.get, "/x").responded(200), .ok) }
// > 'responded' is unavailable: a stub has no condition on its own response; for a variable of a wait, write the type EntryPattern or TrackingCheck

// MISTAKE: a URL in a stub without a pattern
let stub = StubEndpoint(.get, url: "https://api.example/users", .ok)
// > 'init(_:url:_:times:name:)' is unavailable: a URL belongs to a pattern: write StubEndpoint(.request(.get, url: ...), ...)

// MISTAKE: a path in a variable
func mistake(_ verifier: TrackingVerifier, _ path: String) { verifier.stub(.get, path, .ok) }
// > cannot convert value of type 'String' to expected argument type 'StubPath'

// MISTAKE: a path in a variable, in a pattern
func mistake(_ verifier: TrackingVerifier, _ path: String) { verifier.wait(for: .request(.get, path)) }
// > 'request' is unavailable: a path in a variable is written .template(path), and a URL has the label url:

// MISTAKE: a delay as a response
func mistake(_ verifier: TrackingVerifier) { verifier.stub(.get, "/x", .delay(2)) }
// > 'delay' is unavailable: a delay belongs to a result: write .ok.delayed(by: 2)

// MISTAKE: a delay by another name
func mistake(_ verifier: TrackingVerifier) { verifier.stub(.get, "/x", .ok.delay(2)) }
// > 'delay' has been renamed to 'delayed(by:)'

// MISTAKE: a status as a number
func mistake(_ verifier: TrackingVerifier) { verifier.stub(.get, "/x", 404) }
// > no exact matches in call to instance method 'stub'

// MISTAKE: labels of a stub as in other tools
func mistake(_ verifier: TrackingVerifier) { verifier.stub(method: .get, path: "/x", response: .ok) }
// > extraneous argument labels 'method:path:response:' in call

// MISTAKE: the configuration's arguments in another order
let configuration = TrackingVerifier.Configuration(endpointVariables: ["PORT": .port], timeout: 3)
// > argument 'timeout' must precede argument 'endpointVariables'

// MISTAKE: a plan without its module
let configuration = TrackingVerifier.Configuration(plan: .bundle(.main, "tracking-plan.json"))
// > cannot infer contextual base in reference to member 'main'
// > type 'PlanSource?' has no member 'bundle'

// MISTAKE: the trait without its module
import Testing
@Suite(.tracking) struct CartTests { @Test func buying() async {} }
// > reference to member 'tracking' cannot be resolved without a contextual type

// MISTAKE: a plain event that is tracked as a typed one
func mistake(_ verifier: TrackingVerifier) {
  verifier.tracker.track(TrackingEvent(name: "tap"))
  verifier.tracker.track(.init(name: "tap"))
}

// MISTAKE: a requirement of what an action causes
func mistake(_ verifier: TrackingVerifier) throws -> TrackingEvent { try verifier.require(.named("tap")) {} }

// MISTAKE: an SDK's format without its module
func mistake(_ verifier: TrackingVerifier) { verifier.accept(.segment) }
// > cannot infer contextual base in reference to member 'segment'
// > value of type 'TrackingVerifier' has no member 'accept'

// MISTAKE: a beacon without its module
func mistake(_ verifier: TrackingVerifier) { verifier.verifyBeaconReceived(key: "t", value: "view") }
// > value of type 'TrackingVerifier' has no member 'verifyBeaconReceived'

// MISTAKE: an expression in the place of a plan
let configuration = TrackingVerifier.Configuration(plan: "tracking-plan.json")
// > cannot convert value of type 'String' to expected argument type 'PlanSource'

// MISTAKE: times beside a pattern
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("tap"), times: 2) }
// > extra argument 'times' in call

// MISTAKE: an absence by another name
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .never(.named("tap"))) }
// > 'never' is unavailable: write .none(of: .named("a"), within: 1)

// MISTAKE: an absence as a count
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("tap"), count: .never) }
// > 'never' is unavailable: write .none(of: .named("a"), within: 1) in place of the pattern and its count

// MISTAKE: bounds by another name
func mistake(_ verifier: TrackingVerifier) {
  verifier.wait(for: .named("tap", params: ["n": .greaterThan(3)]))
  verifier.wait(for: .named("tap", params: ["n": .lessThan(3)]))
}
// > 'greaterThan' has been renamed to 'greater(than:)'
// > 'lessThan' has been renamed to 'less(than:)'

// MISTAKE: JSON in the place of a response
func mistake(_ verifier: TrackingVerifier) { verifier.stub(.get, "/x", json: ["id": 42, "tags": ["a"]]) }
// > 'stub(_:_:json:)' is unavailable: a response is a value: write stub(.get, "/x", .json(["id": 42]))

// MISTAKE: a fault without a position
func mistake(_ verifier: TrackingVerifier) { verifier.inject(.reset, times: 1) }
// > 'reset' is unavailable: a fault has a position: write HTTPFault(.reset, at: .response)

// MISTAKE: another fault without a position
func mistake(_ verifier: TrackingVerifier) { verifier.inject(.stall) }
// > type 'HTTPFault' has no member 'stall'

// MISTAKE: a timeout of the trait
import Testing
import TrackingTesting
@Suite(.tracking(timeout: 3)) struct CartTests { @Test func buying() async {} }
// > 'tracking(timeout:)' is unavailable: a timeout is part of a configuration: write .tracking(.init(timeout: 1))

// MISTAKE: an event as arguments
func mistake(_ tracker: any TrackerProtocol) { tracker.track(name: "tap", params: ["n": 1, "on": "a"]) }
// > 'track(name:params:)' is unavailable: an event is a value: write track(TrackingEvent(name: "a", params: ["b": 1]))

// MISTAKE: a name in the place of an event
func mistake(_ tracker: any TrackerProtocol) { tracker.track("tap") }
// > cannot convert value of type 'String' to expected argument type 'TrackingEvent'

// MISTAKE: a name without its label
func mistake(_ tracker: any TrackerProtocol) { tracker.track(TrackingEvent("tap")) }
// > argument type 'String' does not conform to expected type 'Decoder'
// > missing argument label 'from:' in call

// MISTAKE: a dictionary of any values as params
func mistake(_ tracker: any TrackerProtocol, _ parameters: [String: Any]) {
  tracker.track(TrackingEvent(name: "tap", params: parameters))
}
// > cannot convert value of type '[String : Any]' to expected argument type '[TrackingParam : TrackingValue]'

// MISTAKE: a dictionary of any values as parameters
func mistake(_ tracker: any TrackerProtocol, _ parameters: [String: Any], _ optional: [String: Any]?) {
  tracker.track(TrackingEvent(name: "tap", parameters: parameters))
  tracker.track(TrackingEvent(name: "tap", parameters: optional))
  tracker.track(TrackingEvent(name: "tap", parameters: ["n": 1, "on": true]))
}

// MISTAKE: patterns and an operator
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("a") && .named("b")) }
// > no exact matches in call to instance method 'wait'
// > type 'Bool' has no member 'named'

// MISTAKE: a duration as a timeout
func mistake(_ verifier: TrackingVerifier) { verifier.wait(for: .named("a"), timeout: .seconds(2)) }
// > type 'TimeInterval?' (aka 'Optional<Double>') has no member 'seconds'

// MISTAKE: an action's check without an action
func mistake(_ verifier: TrackingVerifier) { verifier.expect(.named("a")) }
// > missing argument for parameter 'from' in call

// MISTAKE: a subscript of an event
func mistake(_ event: TrackingEvent) { _ = event["n"] }
// > value of type 'TrackingEvent' has no subscripts
