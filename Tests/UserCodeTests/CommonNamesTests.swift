import CommonNames
import TrackerDouble
import TrackingVerifier
import XCTest

/// An app's types of common names stay usable by their names beside this package's calls: nothing is "ambiguous for type lookup".
nonisolated final class CommonNamesTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self)

  func testTheTypesOfAnAppKeepTheirNames() {
    let question: Question = Question()
    let answer: Answer = Answer()
    let outcome: Outcome = Outcome()
    let verification: Verification = Verification()
    let httpRequest: HTTPRequest = HTTPRequest()
    let httpResponse: HTTPResponse = HTTPResponse()
    let httpMethod: HTTPMethod = HTTPMethod()
    let header: Header = Header()
    let headers: Headers = Headers()
    let headerFields: HeaderFields = HeaderFields()
    let journal: Journal = Journal()
    let entry: Entry = Entry()
    let event: Event = Event()
    let session: Session = Session()
    let stub: Stub = Stub()
    let stubResult: StubResult = StubResult()
    let fault: Fault = Fault()
    let check: Check = Check()
    let submission: Submission = Submission()
    let form: Form = Form()
    let formField: FormField = FormField()
    let formFields: FormFields = FormFields()
    let formPart: FormPart = FormPart()
    let serverError: ServerError = ServerError()
    let request: Request = Request()
    let response: Response = Response()
    let server: Server = Server()
    let endpoint: Endpoint = Endpoint()
    let failure: Failure = Failure()
    let reporter: Reporter = Reporter()
    let pattern: Pattern = Pattern()
    let matcher: Matcher = Matcher()
    let mark: Mark = Mark()
    let param: Param = Param()
    let value: Value = Value()
    let plan: Plan = Plan()
    let rule: Rule = Rule()
    let recording: Recording = Recording()
    let recorder: Recorder = Recorder()
    let body: Body = Body()
    let path: Path = Path()
    let query: Query = Query()
    let location: Location = Location()
    let tracker: Tracker = Tracker()
    let configuration: Configuration = Configuration()
    let limits: Limits = Limits()
    let kind: Kind = Kind()
    let count: Count = Count()
    let launch: Launch = Launch()
    let wait: Wait = Wait()
    let expectation: Expectation = Expectation()
    let attachment: Attachment = Attachment()
    let scenario: Scenario = Scenario()
    let folder: Folder = Folder()
    let gate: Gate = Gate()
    let all: [any Sendable] = [
      question, answer, outcome, verification, httpRequest, httpResponse, httpMethod, header, headers, headerFields,
      journal, entry, event, session, stub, stubResult, fault, check, submission, form, formField,
      formFields, formPart, serverError, request, response, server, endpoint, failure, reporter, pattern, matcher, mark,
      param, value, plan, rule, recording, recorder, body, path, query, location, tracker, configuration, limits, kind,
      count, launch, wait, expectation, attachment, scenario, folder, gate,
    ]
    XCTAssertEqual(all.count, 55)
    verifier.stub(.get, "/books", .json([1]))
    verifier.tracker.trackEvent(TrackingEvent(name: "tapped"))
    verifier.wait(for: .named("tapped"))
    verifier.wait(for: .none(of: .named("purchase")))
  }
}
