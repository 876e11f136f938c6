import TrackingPlan
import TrackingPlanKit

/// DuckDuckGo's pixel definitions: JSON5 files of pixels by name, and dictionaries of the parameters that they share.
///
/// Facts: github.com/duckduckgo/pixel-schema, `pixel_schema.json5` and `param_schema.json5`. A pixel with suffixes is planned under its name without
/// them.
struct PixelDefinitions {
  private let files: [ForeignPlanReader.File]
  private var shared: [String: JSONTree] = [:]
  /// The parts of the definitions that a plan has no place for.
  private(set) var losses: [String] = []

  private static let memberNames: Set = [
    "description", "owners", "triggers", "suffixes", "parameters", "privacyReview", "expires", "grafanaDashboards",
  ]

  /// - Returns: `nil` when no file holds pixels.
  init?(_ files: [ForeignPlanReader.File]) {
    self.files = files.filter { Self.holdsPixels($0.tree) }
    if self.files.isEmpty { return nil }
    for file in files where file.relativePath.contains("params_dictionary") {
      for param in file.tree.members ?? [] { shared[param.key] = param.value }
    }
  }

  private static func holdsPixels(_ tree: JSONTree) -> Bool {
    guard let pixels = tree.members, !pixels.isEmpty else { return false }
    return pixels.allSatisfy { pixel in
      pixel.value["owners"]?.elements != nil && pixel.value["description"] != nil
        && pixel.value.members?.allSatisfy { memberNames.contains($0.key) } == true
    }
  }

  mutating func plan() throws(PlanError) -> JSONTree {
    var planned: [JSONTree.Member] = []
    for file in files {
      for pixel in file.tree.members ?? [] { planned.append(.init(pixel.key, try event(pixel, file))) }
    }
    return ["events": JSONTree(.object(planned))]
  }

  private mutating func event(_ pixel: JSONTree.Member, _ file: ForeignPlanReader.File) throws(PlanError) -> JSONTree {
    var params: [JSONTree.Member] = []
    var isOpen = false
    if pixel.value["suffixes"]?.elements?.isEmpty == false {
      losses.append("\(file.name): \(pixel.key): suffixes; names with a suffix are not planned")
    }
    for entry in pixel.value["parameters"]?.elements ?? [] {
      var param = entry
      if let name = entry.string {
        guard let known = shared[name] else {
          throw file.error("\(pixel.key): the parameter \"\(name)\" is in no params_dictionary of the folder")
        }
        param = known
      }
      guard let key = param["key"]?.string else {
        // Names by a pattern can't be planned one by one.
        if let pattern = param["keyPattern"]?.string {
          isOpen = true
          losses.append("\(file.name): \(pixel.key): the keyPattern \(pattern); the event is open instead")
        }
        continue
      }
      // Pixels say nothing of what is required, and everything in a query is a text unless it says more.
      let encoding = ["encoding", "base64DataSchema", "jsonDataSchema"].filter { param[$0] != nil }
      losses += encoding.map { "\(file.name): \(pixel.key).\(key): \($0)" }
      let schema = param.removing(Set(["key"] + encoding)).withOptionalMembers()
      params.append(.init(key, schema.adding([.init("optional", true)])))
    }
    return [
      "description": pixel.value["description"], "owner": pixel.value["owners"]?.elements?.first,
      "expires": pixel.value["expires"], "open": isOpen ? true : nil, "params": JSONTree(.object(params)),
    ]
  }
}
