import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer
import TrackingSockets

/// Everything that a verifier received, as a text to keep beside the test's result.
public struct JournalAttachment: Hashable, Sendable {
  /// The format of the text.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    /// An object of `events`, `requests`, `rejections` and `lost`.
    case json
    /// A line for each event, request and rejected submission, by its time.
    case timeline
  }

  /// The format of the text.
  public let form: Form
  /// A name for the file: `CartTests.testBuying-1-journal.json`.
  public let fileName: String
  /// The text.
  public let text: String

  /// Writes the text to a file of that name.
  ///
  /// - Returns: The file's path, or why there is none.
  func written(to directory: URL) -> String {
    let file = directory.appendingPathComponent(fileName)
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return file.path
    } catch {
      return "not written to \(file.path): \(error.localizedDescription)"
    }
  }
}

/// A journal at one moment, as attachments show it.
struct JournalSnapshot {
  /// What the files' names begin with.
  let title: String
  let entries: [JournalEntry]
  let lost: [LostEvents]

  var isEmpty: Bool { entries.isEmpty && lost.isEmpty }

  /// The journal in each form.
  var attachments: [JournalAttachment] {
    [
      JournalAttachment(form: .timeline, fileName: "\(fileTitle)-timeline.txt", text: timeline),
      JournalAttachment(form: .json, fileName: "\(fileTitle)-journal.json", text: json),
    ]
  }

  private var fileTitle: String {
    String(title.map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" ? $0 : "-" })
  }

  /// The moment that times are measured from: the first arrival.
  private var start: ContinuousClock.Instant { entries.first?.arrival ?? .now }

  private var timeline: String {
    let start = start
    let list = Timeline(
      of: entries,
      on: Timescale(began: start, deadline: start + .clamping(seconds: .infinity), zero: "the first arrival"))
    let rows = list.lines(width: .max)
    var lines = [list.title(shown: .max)]
    for (entry, row) in zip(entries, rows) {
      lines.append(row)
      if let request = entry.request, !request.request.body.isEmpty {
        lines.append("    with \(Excerpt.of(request.shownBody, width: .max))")
      }
      if let rejection = entry.rejection {
        lines.append("    \(rejection)")
        let body = String(decoding: rejection.body, as: UTF8.self)
        if !body.isEmpty { lines.append("    in \(Excerpt.of(body, width: .max))") }
      }
    }
    if !lost.isEmpty {
      lines += ["", "Tracked but never arrived:"]
      for lost in lost {
        let numbers = lost.numberTexts.joined(separator: ", ")
        lines.append("\(lost.count) of \(lost.tracked) in launch \(lost.launch): \(numbers)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var json: String {
    let start = start
    var writer = JSONWriter(spacing: .readable)
    writer.write(
      .object([
        "events": .array(entries.compactMap { $0.event?.json(since: start) }),
        "requests": .array(entries.compactMap { $0.request?.json(since: start) }),
        "rejections": .array(entries.compactMap { $0.rejection?.json(since: start) }),
        "lost": .array(lost.map(\.json)),
      ]))
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }
}

extension RecordedEvent {
  fileprivate func json(since start: ContinuousClock.Instant) -> TrackingValue {
    var members: [String: TrackingValue] = [
      "number": .int(number), "milliseconds": .double(TimeText.fractionalMilliseconds(arrival - start)),
      "name": .string(event.name),
      "params": event.paramsJSON,
    ]
    members["connection"] = connection.map(TrackingValue.int)
    members["launch"] = launch.map(TrackingValue.string)
    members["sequence"] = sequence.map(TrackingValue.unsigned)
    if !isAcknowledged { members["isAcknowledged"] = false }
    return .object(members)
  }
}

extension TrackingEvent {
  /// An object, or a list of names and values where names are only canonically equivalent: readers of JSON take those for one.
  fileprivate var paramsJSON: TrackingValue {
    let members = Dictionary(params.map { ($0.key.key, $0.value) }) { $1 }
    guard members.count < params.count else { return .object(members) }
    return .array(
      params.sorted { $0.key < $1.key }.map { .object(["name": .string($0.key.key), "value": $0.value]) })
  }
}

extension RecordedRequest {
  /// Characters of a body, of which a journal may hold very many.
  private static let longestBody = 1_000

  /// The beginning of the body.
  fileprivate var shownBody: String {
    let text = request.text
    return text.count > Self.longestBody ? "\(text.prefix(Self.longestBody)) ..." : text
  }

  fileprivate func json(since start: ContinuousClock.Instant) -> TrackingValue {
    var members: [String: TrackingValue] = [
      "number": .int(number), "milliseconds": .double(TimeText.fractionalMilliseconds(arrival - start)),
      "method": .string(method), "target": .string(target), "connection": .int(connection),
      "exchange": .int(exchange),
    ]
    if bodySize > 0 { (members["body"], members["bodySize"]) = (.string(shownBody), .int(bodySize)) }
    members["status"] = status.map(TrackingValue.int)
    members["stub"] = stub.map { .string("\($0)") }
    members["fault"] = fault.map { .string("\($0)") }
    members["problem"] = problem.map(TrackingValue.string)
    if isUnmatched { members["isUnmatched"] = true }
    members["nearestStub"] = nearestStub.map(TrackingValue.string)
    return .object(members)
  }
}

extension RejectedSubmission {
  fileprivate func json(since start: ContinuousClock.Instant) -> TrackingValue {
    var members: [String: TrackingValue] = [
      "number": .int(number), "milliseconds": .double(TimeText.fractionalMilliseconds(arrival - start)),
      "status": .int(status),
      "reason": .string(reason), "body": .string(String(decoding: body, as: UTF8.self)), "bodySize": .int(bodySize),
    ]
    members["path"] = path.map(TrackingValue.string)
    members["offset"] = offset.map(TrackingValue.int)
    members["connection"] = connection.map(TrackingValue.int)
    members["launch"] = launch.map(TrackingValue.string)
    return .object(members)
  }
}

extension LostEvents {
  fileprivate var json: TrackingValue {
    .object([
      "launch": .string(launch), "tracked": .unsigned(tracked), "count": .int(count),
      "numbers": .array(numbers.map { .array([.unsigned($0.lowerBound), .unsigned($0.upperBound)]) }),
    ])
  }
}
