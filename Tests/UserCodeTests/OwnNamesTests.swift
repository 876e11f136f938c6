import TrackingVerifier
import XCTest

// The same for types that a test target declares itself.

private struct Question {}
private struct Outcome {}
private struct Verification {}
private struct HTTPRequest {}
private struct HTTPMethod {}
private struct Header {}
private struct Journal {}
private struct Entry {}
private struct Event {}
private struct Session {}
private struct Stub {}
private struct Fault {}
private struct Check {}
private struct CheckResult {}
private struct Submission {}
private struct FormFields {}
private struct ServerError {}

nonisolated final class OwnNamesTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self)

  func testTheTypesOfATestTargetKeepTheirNames() {
    let question: Question = Question()
    let outcome: Outcome = Outcome()
    let verification: Verification = Verification()
    let httpRequest: HTTPRequest = HTTPRequest()
    let httpMethod: HTTPMethod = HTTPMethod()
    let header: Header = Header()
    let journal: Journal = Journal()
    let entry: Entry = Entry()
    let event: Event = Event()
    let session: Session = Session()
    let stub: Stub = Stub()
    let fault: Fault = Fault()
    let check: Check = Check()
    let checkResult: CheckResult = CheckResult()
    let submission: Submission = Submission()
    let formFields: FormFields = FormFields()
    let serverError: ServerError = ServerError()
    let all: [Any] = [
      question, outcome, verification, httpRequest, httpMethod, header, journal, entry, event, session, stub, fault,
      check, checkResult, submission, formFields, serverError,
    ]
    XCTAssertEqual(all.count, 17)
    verifier.tracker.trackEvent(TrackingEvent(name: "tapped"))
    verifier.wait(for: .named("tapped"))
  }
}
