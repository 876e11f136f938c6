import TestSupport

final class TrackingEndpointTests: XCTestCase {
  func testAnEndpointIsPassedInTwoVariables() throws {
    let endpoint = TrackingEndpoint(url: try url("http://[::1]:50123"), session: "0a1b")
    XCTAssertEqual(endpoint.launchEnvironment, ["TRACKING_URL": "http://[::1]:50123", "TRACKING_SESSION": "0a1b"])
    XCTAssertEqual(
      endpoint.launchArguments, ["-TrackingURL", "http://[::1]:50123", "-TrackingSession", "0a1b"])
  }

  func testWithoutASessionOnlyTheURLIsPassed() throws {
    let endpoint = TrackingEndpoint(url: try url("http://127.0.0.1:8080"))
    XCTAssertEqual(endpoint.launchEnvironment, ["TRACKING_URL": "http://127.0.0.1:8080"])
    XCTAssertEqual(endpoint.launchArguments, ["-TrackingURL", "http://127.0.0.1:8080"])
  }

  func testAnEndpointSurvivesBothFormsWithoutAnEqualsSign() throws {
    let urls = [
      "http://[::1]:50123", "http://127.0.0.1:1", "http://localhost:65535", "http://localhost:80/a=b?c=d%3De&f=%2525=",
    ]
    for text in urls {
      for session in [nil, "abc", "a=b==", "%3D", "%25=%", "%%25", "-x", "ü =\u{1F600}"] {
        let endpoint = TrackingEndpoint(url: try url(text), session: session)
        XCTAssertEqual(TrackingEndpoint(environment: endpoint.launchEnvironment), endpoint)
        XCTAssertEqual(TrackingEndpoint(arguments: ["app", "-x"] + endpoint.launchArguments + ["y"]), endpoint)
        for value in Array(endpoint.launchEnvironment.values) + endpoint.launchArguments {
          XCTAssertFalse(value.contains("="), value)
        }
      }
    }
  }

  func testOtherVariablesAndArgumentsAreIgnored() throws {
    let endpoint = TrackingEndpoint(url: try url("http://[::1]:1"))
    XCTAssertEqual(
      TrackingEndpoint(
        environment: endpoint.launchEnvironment.merging(["PATH": "/bin", "tracking_session": "x"]) { $1 }),
      endpoint)
    XCTAssertEqual(
      TrackingEndpoint(arguments: ["app", "-Other", "1", "-TrackingURL", "http://[::1]:1", "-session", "x"]),
      endpoint)
  }

  func testWithoutAnEndpointThereIsNoEndpoint() {
    XCTAssertNil(TrackingEndpoint(environment: [:]))
    XCTAssertNil(TrackingEndpoint(environment: ["TRACKING_SESSION": "a"]))
    XCTAssertNil(TrackingEndpoint(arguments: []))
    XCTAssertNil(TrackingEndpoint(arguments: ["-TrackingSession", "a"]))
    XCTAssertNil(TrackingEndpoint(arguments: ["app", "-TrackingURL"]))
    XCTAssertNil(TrackingEndpoint(arguments: ["app", "-TrackingURL", "-TrackingSession", "a"]))
  }

  func testAMalformedURLIsNoEndpoint() {
    for text in [
      "", " ", "localhost:8080", "[::1]:8080", "http", "http:", "http://", "http:///path", "https://[::1]:1",
      "ftp://[::1]:1",
      "file:///tmp", "http://[::1", "http://[::1]:port", "http://a b:1", "http://:8080", "-TrackingSession",
    ] {
      XCTAssertNil(TrackingEndpoint(environment: ["TRACKING_URL": text]), text)
      XCTAssertNil(TrackingEndpoint(arguments: ["-TrackingURL", text]), text)
    }
  }

  func testAMalformedEndpointDiffersFromNone() {
    func words(_ passed: TrackingEndpoint.Passed) -> String {
      switch passed {
      case .nothing: "nothing"
      case .endpoint(let endpoint): endpoint.url.absoluteString
      case .malformed(let url): "malformed \(url ?? "-")"
      case .misspelt(let argument): "misspelt \(argument)"
      }
    }
    XCTAssertEqual(words(TrackingEndpoint.passed(in: ["TRACKING_URL": "local%3Dhost"])), "malformed local=host")
    XCTAssertEqual(words(TrackingEndpoint.passed(in: ["TRACKING_SESSION": "a"])), "malformed -")
    XCTAssertEqual(words(TrackingEndpoint.passed(in: ["PATH": "/bin"])), "nothing")
    XCTAssertEqual(words(TrackingEndpoint.passed(in: ["app", "-TrackingURL"])), "malformed ")
    XCTAssertEqual(words(TrackingEndpoint.passed(in: ["app"])), "nothing")
    for argument in [
      "-tracking_url", "--tracking-url", "-trackingUrl", "trackingURL=http://[::1]:1", "-Tracking_Session",
    ] {
      XCTAssertEqual(
        words(TrackingEndpoint.passed(in: ["app", argument, "http://[::1]:1"])), "misspelt \(argument)")
    }
    XCTAssertEqual(
      words(TrackingEndpoint.passed(in: ["app", "-trackingurl", "a", "-TRACKING_URL", "http://[::1]:1"])),
      "http://[::1]:1")
    XCTAssertEqual(
      words(TrackingEndpoint.passed(in: ["app", "-TrackingURLs", "a", "-MyTrackingURL", "b"])), "nothing")
  }

  /// The arguments of Detox and Maestro (a hyphen before a name), of Appium (as they are written) and of a shell.
  func testTheVariablesAreReadFromTheArgumentsThatOtherToolsPass() throws {
    let endpoint = TrackingEndpoint(url: try url("http://[::1]:50123"), session: "a=b%")
    let (url, session) = ("http://[::1]:50123", "a%3Db%25")
    for arguments in [
      ["-TRACKING_URL", url, "-TRACKING_SESSION", session], ["--TRACKING_URL", url, "--TRACKING_SESSION", session],
      ["TRACKING_URL=\(url)", "TRACKING_SESSION=\(session)"],
      ["-TRACKING_URL=\(url)", "--TRACKING_SESSION=\(session)"],
      ["TRACKING_URL", url, "-TrackingSession=\(session)"],
    ] {
      XCTAssertEqual(
        TrackingEndpoint(arguments: ["app", "-detoxSessionId", "x"] + arguments + ["-y"]), endpoint, "\(arguments)")
    }
  }

  /// The safe side: a launch that means to pass an endpoint never looks like one that doesn't.
  func testAnArgumentThatHasTheNameAsAWordIsReadOrMisspelt() {
    let (url, session) = ("http://[::1]:50123", "abc")
    let read: [[String]] = [
      ["-TRACKING_URL", url, "-TRACKING_SESSION", session], ["--TRACKING_URL", url, "--TRACKING_SESSION", session],
      ["TRACKING_URL=\(url)", "TRACKING_SESSION=\(session)"], ["-TRACKING_URL=\(url)", "-TRACKING_SESSION=\(session)"],
      ["--TRACKING_URL=\(url)", "--TRACKING_SESSION=\(session)"], ["TRACKING_URL", url, "TRACKING_SESSION", session],
      ["-TrackingURL", url, "-TrackingSession", session], ["TrackingURL=\(url)", "TrackingSession=\(session)"],
    ]
    for arguments in read {
      XCTAssertEqual(words(["app"] + arguments), "\(url) \(session)", "\(arguments)")
    }
    let misspelt: [[String]] = [
      ["-tracking-url", url], ["trackingUrl=\(url)"],
      ["-TRACKING_URL \(url) -TRACKING_SESSION \(session)"], [" -TRACKING_URL", url], ["-TRACKING_URL ", url],
      ["\"-TRACKING_URL\"", url], ["'TRACKING_URL=\(url)'"], ["TRACKING_URL:\(url)"], ["-TRACKING_URL:\(url)"],
      [#"{"TRACKING_URL":"\#(url)","TRACKING_SESSION":"\#(session)"}"#], [#"{TRACKING_URL = "\#(url)";}"#],
      [#"<plist><dict><key>TRACKING_URL</key><string>\#(url)</string></dict></plist>"#], ["\u{2013}TRACKING_URL", url],
      ["-env", "A=/b TRACKING_URL=\(url)"], ["--env=TRACKING_URL=\(url)"],
      ["-e", "A=\(url),TRACKING_SESSION=\(session)"],
      ["TRACKING_URL\n", url], ["app.TRACKING_URL=\(url)"], ["TRACKING_SESSION:\(session)"],
    ]
    for arguments in misspelt {
      let meant = arguments.first { $0.uppercased().filter { $0 != "_" && $0 != "-" }.contains("TRACKING") } ?? ""
      XCTAssertEqual(words(["app"] + arguments), "misspelt \(meant)", "\(arguments)")
    }
    let other: [[String]] = [
      ["-TrackingURLs", url], ["-MyTrackingURL", url], ["-TRACKING_URL_OLD=\(url)"], ["TRACKING"],
      ["-tracking", "url"],
      ["https://example.com/?TRACKING_URL=\(url)"], ["-open", "shop://tracking-url/1"], ["/tmp/TRACKING_URL"],
      ["-config", "build/tracking_session.json"], ["tracking-session.json"], ["TrackingSession/Info.plist"],
    ]
    for arguments in other { XCTAssertEqual(words(["app"] + arguments), "nothing", "\(arguments)") }
    XCTAssertEqual(words(["/Applications/TrackingURL.app/TrackingURL"]), "nothing")
  }

  func testOfANameGivenTwiceTheLastCounts() {
    let (first, second) = ("http://[::1]:1", "http://[::1]:2")
    for (arguments, expected) in [
      (["-TrackingURL", first, "-TrackingURL", second], second),
      (["-TrackingURL", first, "TRACKING_URL=\(second)"], second),
      (["--TRACKING_URL=\(second)", "-TRACKING_URL", first], first),
      (["-TrackingURL", first, "-TrackingURL"], "malformed "),
      (["-TrackingURL", first, "-trackingurl", second], first),
      (["-trackingurl", first, "-TrackingURL", second], second),
      (["-TrackingURL", first, "-TrackingSession", "a", "-TrackingSession", "b"], "\(first) b"),
    ] {
      XCTAssertEqual(words(["app"] + arguments), expected, "\(arguments)")
    }
  }

  private func words(_ arguments: [String]) -> String {
    switch TrackingEndpoint.passed(in: arguments) {
    case .nothing: "nothing"
    case .endpoint(let endpoint):
      [endpoint.url.absoluteString, endpoint.session].compactMap(\.self).joined(separator: " ")
    case .malformed(let url): "malformed \(url ?? "-")"
    case .misspelt(let argument): "misspelt \(argument)"
    }
  }

  private func url(_ text: String) throws -> URL {
    try XCTUnwrap(URL(string: text), text)
  }
}
