/// How the end of a request's body is found.
enum MessageFraming: Equatable {
  case none
  case length(Int)
  case chunked
}
