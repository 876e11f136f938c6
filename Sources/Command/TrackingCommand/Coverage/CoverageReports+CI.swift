import TrackingModel
import TrackingPlan
import TrackingRules

extension Coverage {
  /// Annotations for GitHub, which shows ten per kind and step: the ten most severe, and the number of the others.
  var github: String {
    var all: [(place: PlanPlace?, text: String)] = []
    all += unplanned.map { (nil, "\($0.sentence(callSiteNames).plain) (not in the plan)") }
    all += neverArrived.map { ($0.event.place, "\($0.event.name) never arrived in any test") }
    all += unmatched.map {
      ($0.event.place, "\($0.event.name) arrived \(CountWords.times($0.count)) but no test matched it")
    }
    all += (noticed?.unnoticed ?? []).map { ($0.place, $0.sentence.plain) }
    all += unseenValues.map {
      ($0.value.place, "\($0.event.event.name).\($0.param.param.path): \($0.value.value) was never seen")
    }
    var lines = all.prefix(10).map { place, text in
      let where_ = place.map { " file=\(Self.property($0.file)),line=\($0.line)" } ?? ""
      return "::warning\(where_)::\(Self.message(text))"
    }
    if all.count > 10 {
      let more = (all.count - 10).counted("more finding")
      let verb = all.count == 11 ? "is" : "are"
      lines.append("::notice::\(more) about the tracking plan's coverage \(verb) in the report")
    }
    lines.append("::notice::\(Self.message(headline)); \(Self.message(checks.sentence))")
    return lines.map { $0 + "\n" }.joined()
  }

  private static func message(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
