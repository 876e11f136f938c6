import Foundation
import StubModel
import TrackingJSON

/// The result of reading a request with the accepted formats at its path.
enum FormatResult: Sendable {
  /// A submission in one of the formats, with the response; `bodyHash` is 0 unless the SDK counts its attempts.
  case submission(DecodedSubmission, AcceptedFormat, PreparedResponse, bodyHash: Int)
  case malformed(String, at: JSONError?)
  case unknown

  /// Tries the formats in this order: one whose signature is in the body, the first without a signature, the first other that can read the body.
  ///
  /// Fails with the first error.
  init(of request: ReceivedRequest, as formats: [PreparedFormat]) {
    var likely: FormatResult?
    var unlikely: FormatResult?
    var malformed: FormatResult?
    for (index, format) in formats.enumerated() {
      do {
        guard let (reading, hasSignature) = try Self.reading(of: request, as: format) else { continue }
        switch hasSignature {
        case true?:
          self = reading
          return
        case false?: unlikely = unlikely ?? reading
        case nil:
          likely = likely ?? reading
          // A format that looks alike may find its signature.
          if !formats[(index + 1)...].contains(where: \.hasSignature) {
            self = likely ?? reading
            return
          }
        }
      } catch let error as JSONError {
        malformed = malformed ?? .malformed("\(format.format.name): \(error.reason)", at: error)
      } catch {
        malformed = malformed ?? .malformed("\(format.format.name): \(StubError.text(of: error))", at: nil)
      }
    }
    self = likely ?? unlikely ?? malformed ?? .unknown
  }

  private static func reading(
    of request: ReceivedRequest, as format: PreparedFormat
  ) throws -> (FormatResult, hasSignature: Bool?)? {
    guard let submission = try format.submission(in: request) else { return nil }
    let response = try PreparedResponse(submission.response, folder: nil)
    let bodyHash = submission.attempt == nil ? 0 : hash(of: request.body)
    return (.submission(submission, format.format, response, bodyHash: bodyHash), submission.hasSignature)
  }

  /// Hashes all bytes; `Data` hashes only the first 80.
  private static func hash(of body: Data) -> Int {
    var hasher = Hasher()
    body.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
