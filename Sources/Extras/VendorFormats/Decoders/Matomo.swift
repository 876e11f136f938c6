import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingServer

extension AcceptedFormat {
  /// Matomo: `/matomo.php` and `/piwik.php`, with a query, a form or a bulk request; all values are text.
  public static let matomo = AcceptedFormat(MatomoFormat())
}

// Sources: piwikapi 0.3 (tracking.py), matomo-sdk-ios 32c2353 (MatomoTracker.swift:117, EventAPIDispatcher), and captured requests.
/// Matomo's tracking HTTP API, which has no ids.
struct MatomoFormat: PromptFormat {
  let name = "Matomo"
  let endpoints: [RequestPattern] = ["/matomo.php", "/piwik.php"].flatMap { path in
    [.request(.get, .template(path)), .request(.post, .template(path))]
  }

  func address(at server: URL) -> URL { server.appending(path: "matomo.php") }

  func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    if let first = request.body.first(where: { !" \t\r\n".utf8.contains($0) }), first == UInt8(ascii: "{") {
      return try bulk(request)
    }
    let fields = try request.wireFields().pairs
    guard ReceivedFields(pairs: fields)["idsite"] != nil else { return nil }
    return DecodedSubmission(items: [try item(of: ReceivedFields(pairs: fields))], response: .pixel)
  }

  /// Reads a bulk request of query strings in JSON: `{"requests": ["?idsite=1&rec=1&e_c=..."]}`.
  private func bulk(_ request: ReceivedRequest) throws -> DecodedSubmission? {
    guard let requests = try request.wireJSON().objectValue?["requests"]?.arrayValue else { return nil }
    var submission = DecodedSubmission(items: [])
    for (index, entry) in requests.enumerated() {
      submission.read("requests[\(index)]") { submission in
        guard let text = entry.stringValue else {
          throw DecodedSubmission.Malformed(path: "", reason: "expected a query, found \(entry.kind)")
        }
        guard ReceivedFields.isText(text.utf8) else { throw DecodedSubmission.Malformed(path: "", reason: "not UTF-8") }
        // By bytes: comparing characters may take very long.
        let query = Substring(text.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
        submission.items.append(try item(of: ReceivedFields(query.isEmpty ? text : String(query))))
      }
    }
    let (tracked, invalid) = (submission.items.count, submission.malformed.count)
    submission.response = .json(["status": "success", "tracked": .int(tracked), "invalid": .int(invalid)])
    return submission
  }

  private func item(of fields: ReceivedFields) throws(DecodedSubmission.Malformed) -> DecodedSubmission.Item {
    var context = try fields.members()
    let time = context["cdt"].flatMap(Self.time)
    var params: [TrackingParam: TrackingValue] = [:]
    for key in ["cvar", "_cvar"] {
      guard let text = context.removeValue(forKey: key)?.stringValue, !text.isEmpty else { continue }
      for (name, value) in try Self.variables(text, of: key) { params[name] = value }
    }
    for key in context.keys where key.hasPrefix("dimension") {
      params[.custom(key: key)] = context.removeValue(forKey: key)
    }
    let (kind, name) = Self.meaning(&context, &params)
    return DecodedSubmission.Item(
      kind, TrackingEvent(name: name, params: params), time: time, context: context, isText: true)
  }

  /// Returns a request's kind and name by its fields, and moves that kind's fields to the params.
  private static func meaning(
    _ context: inout [String: TrackingValue], _ params: inout [TrackingParam: TrackingValue]
  ) -> (DecodedSubmission.Kind, String) {
    func take(_ names: KeyValuePairs<String, String>) {
      params.merge(context.take(names)) { $1 }
    }
    if let action = context.removeValue(forKey: "e_a")?.stringValue {
      take(["e_c": "category", "e_n": "name", "e_v": "value"])
      return (.track, action)
    }
    if let goal = context["idgoal"]?.stringValue {
      take(["idgoal": "idgoal", "revenue": "revenue", "ec_id": "ec_id", "ec_items": "ec_items"])
      // Matomo counts an update of the cart as an order only if it has the order's id.
      let isOrder = params["ec_id"]?.id != nil
      return (.track, !goal.isSameText(as: "0") ? "goal" : isOrder ? "order" : "cart_update")
    }
    if let content = context.removeValue(forKey: "c_n")?.stringValue {
      take(["c_p": "piece", "c_t": "target", "c_i": "interaction"])
      return (.track, content)
    }
    if context["search"] != nil {
      take(["search": "keyword", "search_cat": "category", "search_count": "count"])
      return (.track, "search")
    }
    if context["ping"] != nil { return (.automatic, "ping") }
    // Plugins for media and crashes, https://developer.matomo.org/api-reference/tracking-api.
    for (name, isField) in Self.plugins where context.keys.contains(where: isField) {
      for key in context.keys where isField(key) { params[.custom(key: key)] = context.removeValue(forKey: key) }
      return (.automatic, name)
    }
    if context["link"] != nil || context["download"] != nil {
      take(["link": "link", "download": "download"])
      return (.track, params["download"] == nil ? "outlink" : "download")
    }
    // "Any tracking request that isn't a page view."
    if context["ca"]?.stringValue?.isSameText(as: "1") == true { return (.automatic, "custom_action") }
    // Page views are events, since apps without custom events report everything as page views.
    return (
      .track, context.removeValue(forKey: "action_name")?.stringValue ?? context["url"]?.stringValue ?? "page_view"
    )
  }

  private static let plugins: [(name: String, isField: @Sendable (String) -> Bool)] = [
    ("media", { $0.hasPrefix("ma_") }), ("crash", { $0 == "cra" || $0.hasPrefix("cra_") }),
  ]

  /// Reads custom variables: `{"1": ["name", "value"]}`.
  private static func variables(
    _ text: String, of key: String
  ) throws(DecodedSubmission.Malformed) -> [(TrackingParam, TrackingValue)] {
    let slots: TrackingValue
    do throws(JSONError) {
      slots = try TrackingValue(json: text)
    } catch {
      throw DecodedSubmission.Malformed(path: key.appending(path: error.path), reason: error.reason)
    }
    return try Optional(slots).members(at: key).values.map { slot throws(DecodedSubmission.Malformed) in
      guard let pair = slot.arrayValue, pair.count == 2, let name = pair[0].stringValue else {
        throw DecodedSubmission.Malformed(path: key, reason: "expected a pair of a name and a value for each number")
      }
      return (.custom(key: name), pair[1])
    }
  }

  /// Reads a time: seconds, or `2026-11-21 10:00:00` in UTC.
  private static func time(_ value: TrackingValue) -> Date? {
    if let date = Date(wire: value) { return date }
    return value.word.flatMap { Date(wire: .string($0.replacing(" ", with: "T") + "Z")) }
  }
}
