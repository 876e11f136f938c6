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

  /// `GET /books (3 times) and POST /orders`, without queries.
  static func inShort(_ requests: [RecordedRequest]) -> String {
    var counts: [(name: String, count: Int)] = []
    for request in requests {
      let name = Excerpt.of("\(request.method) \(request.request.path)", width: 60)
      if let place = counts.firstIndex(where: { $0.name == name }) {
        counts[place].count += 1
      } else {
        counts.append((name, 1))
      }
    }
    return CountText.list(counts.map { $0.count == 1 ? $0.name : "\($0.name) (\(CountText.times($0.count)))" })
  }
}
