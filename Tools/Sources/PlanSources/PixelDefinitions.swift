/// DuckDuckGo's pixel definitions: JSON5 files of pixels by name, and dictionaries of the parameters that they share.
///
/// Facts: github.com/duckduckgo/pixel-schema, `pixel_schema.json5` and `param_schema.json5`. Suffixes belong to the name that is sent: a pixel with
/// suffixes is planned under its own name, and events with suffixes are not known.
struct PixelDefinitions {
  private let files: [PlanSource.File]
  private var shared: [String: PlanTree] = [:]

  private static let memberNames: Set = [
    "description", "owners", "triggers", "suffixes", "parameters", "privacyReview", "expires", "grafanaDashboards",
  ]

  /// - Returns: `nil` when no file holds pixels.
  init?(_ files: [PlanSource.File]) {
    self.files = files.filter { Self.holdsPixels($0.tree) }
    if self.files.isEmpty { return nil }
    for file in files where file.relativePath.contains("params_dictionary") {
      for param in file.tree.members ?? [] { shared[param.key] = param.value }
    }
  }

  private static func holdsPixels(_ tree: PlanTree) -> Bool {
    guard let pixels = tree.members, !pixels.isEmpty else { return false }
    return pixels.allSatisfy { pixel in
      pixel.value["owners"]?.elements != nil && pixel.value["description"] != nil
        && pixel.value.members?.allSatisfy { memberNames.contains($0.key) } == true
    }
  }

  var plan: PlanTree {
    get throws(PlanSourceError) {
      var planned: [PlanTree.Member] = []
      for file in files {
        for pixel in file.tree.members ?? [] { planned.append(.init(pixel.key, try event(pixel, file))) }
      }
      return .object(["events": .object(planned)])
    }
  }

  private func event(_ pixel: PlanTree.Member, _ file: PlanSource.File) throws(PlanSourceError) -> PlanTree {
    var params: [PlanTree.Member] = []
    var isOpen = false
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
        isOpen = isOpen || param["keyPattern"] != nil
        continue
      }
      // Pixels say nothing of what is required, and everything in a query is a text unless it says more.
      let words = (param.members ?? []).filter { !["key", "encoding", "base64DataSchema"].contains($0.key) }
      params.append(.init(key, .object(words + [.init("optional", .bool(true))])))
    }
    return .object([
      "description": pixel.value["description"], "owner": pixel.value["owners"]?.elements?.first,
      "expires": pixel.value["expires"], "open": isOpen ? .bool(true) : nil, "params": .object(params),
    ])
  }
}
