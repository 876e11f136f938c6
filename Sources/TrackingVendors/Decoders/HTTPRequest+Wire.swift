import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingServer

extension HTTPRequest {
  /// The JSON of the body.
  ///
  /// - Throws: What is wrong with it, and where.
  func wireJSON() throws(JSONError) -> TrackingValue {
    try TrackingValue(json: body)
  }

  /// Whether the body is a form (`application/x-www-form-urlencoded`).
  var hasForm: Bool {
    headers["Content-Type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
  }

  /// The items of the query.
  ///
  /// - Throws: If it isn't UTF-8, since its bytes would be recorded as U+FFFD.
  func wireQuery() throws(Submission.Malformed) -> FormFields {
    if let queryText, !FormFields.isText(queryText.utf8) {
      throw Submission.Malformed(path: "", reason: "the query is not UTF-8")
    }
    return query
  }

  /// The fields of a form in the body.
  ///
  /// - Throws: If it isn't UTF-8, since its bytes would be recorded as U+FFFD.
  func wireForm() throws(Submission.Malformed) -> FormFields {
    guard FormFields.isText(body) else { throw Submission.Malformed(path: "", reason: "the form is not UTF-8") }
    return form
  }

  /// The items of the query and the fields of the form.
  func wireFields() throws(Submission.Malformed) -> FormFields {
    FormFields(items: try wireQuery().items + (try wireForm().items))
  }
}

extension TrackingValue {
  /// The value of a JSON text.
  ///
  /// - Throws: What is wrong with it, and where.
  init(json text: String) throws(JSONError) {
    try self.init(json: Data(text.utf8))
  }
}
