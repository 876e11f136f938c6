import TrackingPatterns
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

  /// Requests that no stub answers, each once, with the stub that comes nearest.
  static func linesWithNearestStubs(of requests: [RecordedRequest]) -> [String] {
    let kinds = counted(requests) { Kind(name: "\($0.method) \($0.target)", nearest: $0.nearestStub) }
    let shown = kinds.prefix(FailureReport.longestList / 2)
    let lines = shown.flatMap { kind, count in
      let name = Excerpt.of(kind.name, width: Excerpt.columns - 20)
      let nearest = kind.nearest.map {
        Excerpt.wrapped("nearest is \($0)", width: Excerpt.columns - 8).split(separator: "\n").map { "        \($0)" }
      }
      return ["    \(count == 1 ? name : "\(name) (\(CountText.times(count)))")"] + (nearest ?? [])
    }
    return shown.count < kinds.count ? lines + ["    ... \(kinds.count - shown.count) more"] : lines
  }

  private struct Kind: Hashable {
    let name: String
    let nearest: String?
  }

  /// `GET /books (3 times) and POST /orders`, without queries.
  static func inShort(_ requests: [RecordedRequest]) -> String {
    let kinds = counted(requests) { Excerpt.of("\($0.method) \($0.request.path)", width: 60) }
    return CountText.list(kinds.map { $0.count == 1 ? $0.kind : "\($0.kind) (\(CountText.times($0.count)))" })
  }

  /// How many there are of each kind, in the order of the first of each.
  private static func counted<Kind: Hashable>(
    _ requests: [RecordedRequest], by kind: (RecordedRequest) -> Kind
  ) -> [(kind: Kind, count: Int)] {
    var kinds: [(kind: Kind, count: Int)] = []
    var places: [Kind: Int] = [:]
    for request in requests {
      let kind = kind(request)
      if let place = places[kind] {
        kinds[place].count += 1
      } else {
        places[kind] = kinds.count
        kinds.append((kind, 1))
      }
    }
    return kinds
  }
}
