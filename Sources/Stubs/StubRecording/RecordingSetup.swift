import Foundation
import StubModel
import StubReplay
import TrackingJSON

struct RecordingSetup: Sendable {
  /// Has no exchanges.
  var recording: BackendRecording
  var redaction: SecretRedaction
  /// The names in requests whose values are recorded as `{any}`.
  var ignored: Set<String>

  init(
    _ upstreams: [String: URL], _ redaction: SecretRedaction = .standard, _ paths: [String] = [],
    _ matching: [String] = [], _ ignored: [String] = []
  ) {
    recording = BackendRecording(upstreams: upstreams.mapValues(\.absoluteString), paths: paths, matching: matching)
    (self.redaction, self.ignored) = (redaction, Set(ignored))
  }
}

extension RecordedExchange.Request {
  /// Replaces the values of some query items, form fields and JSON members with `{any}`.
  func ignoring(_ names: Set<String>) -> RecordedExchange.Request {
    guard !names.isEmpty else { return self }
    var request = self
    request.query = query.map { Self.opened($0, names) }
    if headers["Content-Type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
      request.body = Data(Self.opened(String(decoding: body, as: UTF8.self), names).utf8)
    } else if let json = try? JSONTree(body, spelling: .written, maximumDepth: RecordingFormat.deepestBody) {
      let opened = Self.opened(json, names).text(.compact)
      if opened != json.text(.compact) { request.body = Data(opened.utf8) }
    }
    return request
  }

  /// Items separated by `&`, as in a query or a form.
  private static func opened(_ text: String, _ names: Set<String>) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { item in
      guard let equals = item.firstIndex(of: "="), let name = ReceivedFields(String(item)).pairs.first?.name,
        names.contains(name)
      else { return String(item) }
      return "\(item[...equals])\(OpenText.any)"
    }.joined(separator: "&")
  }

  private static func opened(_ json: JSONTree, _ names: Set<String>) -> JSONTree {
    if let members = json.members {
      let kept = members.map { member in
        changed(member) { $0.value = names.contains($0.key) ? JSONTree(OpenText.any) : opened($0.value, names) }
      }
      return JSONTree(.object(kept))
    }
    return json.elements.map { JSONTree(.array($0.map { opened($0, names) })) } ?? json
  }
}
