import TrackingServer

/// Requests as failures list them, a line each.
enum RequestList {
  /// The last of several requests, by the time of their arrival.
  static func lines(of requests: [RecordedRequest], on scale: Timescale, notes: [Int: String] = [:]) -> [String] {
    let shown = requests.suffix(FailureReport.longestList)
    let offsets = shown.map { TimeText.offset($0.arrival - scale.began) }
    let width = offsets.map(\.count).max() ?? 0
    let lines = zip(shown, offsets).map { request, offset in
      let padding = String(repeating: " ", count: width - offset.count)
      let note = notes[request.number].map { "\($0)  " } ?? ""
      return "    " + Excerpt.of("\(offset)\(padding)  \(note)\(request)", width: Excerpt.columns - 4)
    }
    guard shown.count < requests.count else { return lines }
    return ["    ... \(requests.count - shown.count) before"] + lines
  }
}
