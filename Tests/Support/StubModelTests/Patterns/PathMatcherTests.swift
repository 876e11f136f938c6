import XCTest

@testable import StubModel

final class PathMatcherTests: XCTestCase {
  /// A path, a request's path, and what the variable parts stand for; `nil` where it does not match.
  private let rows: [(path: StubPath, request: String, params: [String: String]?)] = [
    ("/", "/", [:]),
    ("/", "/a", nil),
    ("/a", "/a", [:]),
    ("/a", "/A", nil),
    ("/a", "/a/", nil),
    ("/a/", "/a/", [:]),
    ("/a/", "/a", nil),
    ("/a", "a", [:]),
    ("/a//b", "/a//b", [:]),
    ("/a//b", "/a/b", nil),
    ("/a/b", "/a//b", nil),
    // Percent-encoding, on either side.
    ("/a b", "/a%20b", [:]),
    ("/a%20b", "/a%20b", [:]),
    ("/caf\u{e9}", "/caf%C3%A9", [:]),
    ("/caf\u{e9}", "/caf%c3%a9", [:]),
    ("/a+b", "/a+b", [:]),
    ("/a b", "/a+b", nil),
    ("/100%", "/100%", [:]),
    ("/100%", "/100%25", [:]),
    ("/a/b", "/a%2Fb", nil),
    ("/a%2Fb", "/a%2fb", [:]),
    ("/a%2Fb", "/a/b", nil),
    ("/%2A", "/*", [:]),
    ("/%2A", "/a", nil),
    ("/%3Aid", "/:id", [:]),
    ("/%3Aid", "/a", nil),
    ("/v1/books:batch", "/v1/books:batch", [:]),
    // :param
    ("/books/:id", "/books/42", ["id": "42"]),
    ("/books/:id", "/books/a%20b", ["id": "a b"]),
    ("/books/:id", "/books/a%2Fb", ["id": "a/b"]),
    ("/books/:id", "/books/", nil),
    ("/books/:id", "/books", nil),
    ("/books/:id", "/books/42/", nil),
    ("/books/:id", "/books/42/pages", nil),
    ("/:a/:b", "/1/2", ["a": "1", "b": "2"]),
    ("/:book_id/x", "/1/x", ["book_id": "1"]),
    // *
    ("/*/pages", "/42/pages", [:]),
    ("/*/pages", "//pages", nil),
    ("/*/pages", "/a/b/pages", nil),
    ("/static/*", "/static/a", ["*": "a"]),
    ("/static/*", "/static/a/b%2Fc", ["*": "a/b%2Fc"]),
    ("/static/*", "/static/", ["*": ""]),
    ("/static/*", "/static", nil),
    ("/static/*", "/statics/a", nil),
    ("/*/*", "/a/b/c", ["*": "b/c"]),
    ("/*", "/", ["*": ""]),
    ("/*", "/a/b", ["*": "a/b"]),
    ("*", "/a/b", ["*": "a/b"]),
    ("*", "*", ["*": "*"]),
    ("/books/:id/*", "/books/42/a/b", ["id": "42", "*": "a/b"]),
    // Regular expressions
    (.regex("/user/[0-9]+/profilepicture"), "/user/42/profilepicture", [:]),
    (.regex("/user/[0-9]+/profilepicture"), "/user/x/profilepicture", nil),
    (.regex("/user/[0-9]+"), "/user/42/profilepicture", nil),
    (.regex("/a|/ab"), "/ab", [:]),
    (.regex("/a|/ab"), "/abc", nil),
    (.regex("/(a|b)/([0-9]+)(/x)?"), "/b/7", ["1": "b", "2": "7"]),
    (.regex("/(a|b)/([0-9]+)(/x)?"), "/b/7/x", ["1": "b", "2": "7", "3": "/x"]),
    (.regex("/caf\u{e9}/(.+)"), "/caf%C3%A9/a%2Fb", ["1": "a/b"]),
    (.regex("/a"), "/a\n", nil),
    (.regex("(?i)/BOOKS"), "/books", [:]),
    (.regex("\\/\u{1f4d6}.\u{1f4d6}"), "/\u{1f4d6}x\u{1f4d6}", [:]),
  ]

  func testAPathMatchesWholePathsOnly() throws {
    for row in rows {
      XCTAssertEqual(
        try PathMatcher(row.path).params(in: row.request), row.params, "\(row.path) for \(row.request)")
    }
  }

  /// Invalid paths, and the reasons.
  private let mistakes: [(path: StubPath, words: String)] = [
    ("", #"the path "" doesn't begin with a slash"#),
    ("books", #"the path "books" doesn't begin with a slash"#),
    (":id", #"the path ":id" doesn't begin with a slash"#),
    ("https://api.example/a", #"the path "https://api.example/a" doesn't begin with a slash"#),
    ("/a?b=1", #"the path "/a?b=1" has a query or a fragment; use `query:` for a query"#),
    ("/a/{id}", #"the path "/a/{id}" has {id}: write a param as :id, or %7B for the brace"#),
    ("/a#b", #"the path "/a#b" has a query or a fragment; use `query:` for a query"#),
    ("/a/:", #"the path "/a/:" has a : without a name"#),
    ("/:id/:id", #"the path "/:id/:id" has the param :id twice"#),
    (
      "/:id.json",
      #"the path "/:id.json" has the param :id.json, but a name has only letters, digits, - and _"#
    ),
    (
      "/a/*.png",
      #"the path "/a/*.png" has a * in a segment with other text: use .regex, or write %2A for the character"#
    ),
    ("/a/**", #"the path "/a/**" has a * in a segment with other text: use .regex, or write %2A for the character"#),
    (.regex(""), #"the path "" isn't a valid regular expression"#),
    (.regex("user/[0-9]+"), #"the path "user/[0-9]+" doesn't begin with a slash, as each path does"#),
    (.regex("^users/"), #"the path "^users/" doesn't begin with a slash, as each path does"#),
    (.regex("("), #"the path "(" isn't a valid regular expression"#),
    (.regex("a)|(b"), #"the path "a)|(b" isn't a valid regular expression"#),
    (.regex("[0-9"), #"the path "[0-9" isn't a valid regular expression"#),
    (.regex("/a\\"), #"the path "/a\" isn't a valid regular expression"#),
  ]

  func testAPathThatIsNoneIsRefusedWithTheReason() {
    for mistake in mistakes {
      XCTAssertThrowsError(try PathMatcher(mistake.path), "\(mistake.path)") { error in
        XCTAssertEqual("\(error)", mistake.words)
      }
    }
  }

  /// A path, a request's path, and the share of it that differs.
  private let distances: [(path: StubPath, request: String, words: String, share: Double)] = [
    ("/books", "/bookz", "the path is /bookz, not /books", 0.2),
    ("/books/:id", "/bookz/42", "the path is /bookz/42, not /books/:id", 0.1),
    ("/books/:id", "/books", "the path is /books, not /books/:id", 0.5),
    ("/books/:id", "/books/", "the path is /books/, not /books/:id", 0.5),
    ("/books", "/v1/books", "the path is /v1/books, not /books", 0.5),
    ("/books", "/users", "the path is /users, not /books", 0.8),
    ("/a/b/c/d", "/a/b/c/x", "the path is /a/b/c/x, not /a/b/c/d", 0.25),
    ("/static/*", "/stat/a/b/c", "the path is /stat/a/b/c, not /static/*", 1.0 / 12),
    ("/static/*", "/static", "the path is /static, not /static/*", 0.5),
    (.regex("/a+"), "/b", "the path is /b, and all of it must match //a+/", 1),
    (
      .regex("/user/[0-9]+/picture"), "/user/42/pictures",
      "the path is /user/42/pictures, and all of it must match //user/[0-9]+/picture/", 1.0 / 24
    ),
    (
      .regex("/user/[0-9]+/picture"), "/user/me/picture",
      "the path is /user/me/picture, and all of it must match //user/[0-9]+/picture/", 1.0 / 3
    ),
    (.regex("/v1\\.0/(a/b|c)"), "/v1.1/c", "the path is /v1.1/c, and all of it must match //v1\\.0/(a/b|c)/", 0.125),
  ]

  func testAPathThatOnlyDiffersInTheSlashAtItsEndIsNear() throws {
    for (path, request) in [("/books", "/books/"), ("/books/", "/books")] {
      let difference = try PathMatcher(.template(path)).miss(of: RequestPath(request), request).difference
      XCTAssertEqual(difference.reason, "the path is \(request), not \(path): the slash at the end counts")
      XCTAssertEqual(difference.weight, 0.1)
    }
  }

  func testAPathThatDoesNotMatchSaysHowFarOffItIs() throws {
    for row in distances {
      let difference = try PathMatcher(row.path).miss(of: RequestPath(row.request), row.request).difference
      XCTAssertEqual(difference.reason, row.words)
      // Another path weighs more than another method, however little differs.
      XCTAssertEqual(difference.weight, 0.45 + 0.55 * row.share, accuracy: 1e-9, "\(row.path) for \(row.request)")
    }
  }
}
