import Foundation
import StubModel
import TrackingModel
import TrackingServer

extension AcceptedFormat {
  /// Instana: beacons of `key<TAB>value` lines at `/mobile`; everything is text.
  public static let instana = AcceptedFormat(InstanaFormat())

  /// Returns Instana's format at another path, because the agent appends no path to its `reportingURL`.
  public static func instana(at path: String) -> AcceptedFormat { instana.at(path) }
}

// Sources: instana/iOSAgent b526a6a (Instana.swift:81, CoreBeacon).
/// Instana's mobile beacons.
struct InstanaFormat: PromptFormat {
  let name = "Instana"
  let endpoints: [RequestPattern] = [.request(.post, "/mobile")]

  func address(at server: URL) -> URL { server.appending(path: "mobile") }

  func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    var submission = DecodedSubmission(items: [])
    var beacon: [String: TrackingValue] = [:]
    var first = 1
    for (index, line) in request.body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
    {
      guard !line.isEmpty else {
        add(beacon, line: first, to: &submission)
        (beacon, first) = ([:], index + 2)
        continue
      }
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else {
        // A body whose first line has no tab contains no beacons.
        if index == 0 { return nil }
        submission.note(.init(path: "line \(index + 1)", reason: "no tab between a key and a value"))
        continue
      }
      guard String(bytes: line, encoding: .utf8) != nil else {
        submission.note(.init(path: "line \(index + 1)", reason: "not UTF-8"))
        continue
      }
      let key = String(decoding: line[..<tab], as: UTF8.self)
      guard key.isStreamSafe() else {
        submission.note(
          .init(path: "line \(index + 1)", reason: "more than 30 combining characters follow one another"))
        continue
      }
      beacon[key] = .string(Self.unescaped(line[line.index(after: tab)...]))
    }
    add(beacon, line: first, to: &submission)
    return submission.items.isEmpty && submission.malformed.isEmpty ? nil : submission
  }

  private func add(_ beacon: [String: TrackingValue], line: Int, to submission: inout DecodedSubmission) {
    guard !beacon.isEmpty else { return }
    guard let type = beacon["t"]?.word else {
      return submission.note(.init(path: "line \(line)", reason: "the beacon has no type (t)"))
    }
    var context = beacon
    var params: [TrackingParam: TrackingValue] = [:]
    for key in beacon.keys where key.hasPrefix("m_") {
      params[.custom(key: String(key.dropFirst(2)))] = context.removeValue(forKey: key)
    }
    let kind: DecodedSubmission.Kind
    let name: String
    switch type {
    case "custom":
      (kind, name) = (.track, context.removeValue(forKey: "cen")?.stringValue ?? type)
      if let metric = context.removeValue(forKey: "cm") { params["customMetric"] = metric }
      // A missing duration may be sent as 0.
      if let duration = context.removeValue(forKey: "d"), duration.numeric != 0 { params["duration"] = duration }
    case "viewChange":
      (kind, name) = (.screen, context["v"]?.stringValue ?? type)
    default:
      (kind, name) = (.automatic, type)
    }
    submission.items.append(
      DecodedSubmission.Item(
        kind, TrackingEvent(name: name, params: params), id: beacon["bid"]?.id,
        time: beacon["ti"].flatMap(Date.init(wire:)), context: context, isText: true))
  }

  /// Undoes the agent's escapes for backslashes, line feeds and tabs: `\\`, `\n` and `\t`.
  private static func unescaped(_ bytes: Data) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        text.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "\\"): text.append(next)
      default: text += [byte, next]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
