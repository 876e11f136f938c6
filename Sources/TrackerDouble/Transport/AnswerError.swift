/// Bytes that came as an answer and are none.
enum AnswerError: Error, Hashable {
  case notHTTP
  case malformed(String)
  case tooLong(limit: Int)
}

extension AnswerError: CustomStringConvertible {
  var description: String {
    switch self {
    case .notHTTP: "what answers does not speak HTTP/1.1"
    case .malformed(let what): "the answer is malformed: \(what)"
    case .tooLong(let limit): "the answer's head is longer than \(limit) bytes"
    }
  }
}
