import TrackingJSON
import TrackingModel

/// Snowplow's Iglu: one self-describing JSON Schema per file, of which the highest version applies.
enum IgluFormat {
  private struct Name: Hashable {
    let vendor: String
    let name: String
  }

  static func content(of files: PlanFiles) throws(PlanError) -> PlanContent {
    var newest: [Name: (version: [Int], file: PlanFiles.File)] = [:]
    var order: [Name] = []
    for file in files.files {
      // Skip other JSON in the folder, such as a resolver's configuration.
      guard let itself = file.root["self"] else {
        guard file.relativePath.contains("/jsonschema/") else { continue }
        throw files.error(at: file.root, path: "", "has no self")
      }
      let vendor = try files.text("vendor", of: itself, path: "self")
      let name = try files.text("name", of: itself, path: "self")
      let text = try files.text("version", of: itself, path: "self")
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      let version = parts.compactMap { Int($0) }
      guard version.count == 3, parts.count == 3 else {
        throw files.error(
          at: itself["version"] ?? itself, path: "self.version",
          "\"\(text.shortenedForMessage)\" is not a SchemaVer like 1-0-0")
      }
      for (word, value) in [("version", text), ("name", name), ("vendor", vendor)] {
        guard let told = told(word, byPathOf: file), told != value else { continue }
        throw files.error(
          at: itself[word] ?? itself, path: "self.\(word)",
          "is \"\(value.shortenedForMessage)\", but the file's path says \"\(told.shortenedForMessage)\"")
      }
      let key = Name(vendor: vendor, name: name)
      if let known = newest[key] {
        if known.version == version, known.file.root.value != file.root.value {
          throw files.error(at: itself, path: "self", "\(known.file.name) has this version, too, and differs")
        }
        if known.version.lexicographicallyPrecedes(version) { newest[key] = (version, file) }
      } else {
        newest[key] = (version, file)
        order.append(key)
      }
    }
    var content = PlanContent()
    let counts = Dictionary(order.map { ($0.name, 1) }, uniquingKeysWith: +)
    for key in order {
      guard let file = newest[key]?.file else { continue }
      // Events are tracked by name; a name that several vendors use is preceded by the vendor.
      let name = counts[key.name] == 1 ? key.name : "\(key.vendor)/\(key.name)"
      let schema = file.root.withoutParamsIfEmpty
      content.events.append(
        PlannedEvent(
          name: name, place: files.place(of: file.root), description: file.root["description"]?.string,
          owner: key.vendor, node: file.root, root: schema, schema: schema, draft: file.root.draft(or: .draft04),
          path: ""))
    }
    guard !content.events.isEmpty else {
      throw PlanError(file: files.name, reason: "contains no self-describing schema (one with a member `self`)")
    }
    return content
  }

  /// The part of a schema's path that must equal a member of `self`: `VENDOR/NAME/jsonschema/VERSION`.
  private static func told(_ word: String, byPathOf file: PlanFiles.File) -> String? {
    let folders = file.relativePath.split(separator: "/").map(String.init)
    guard let format = folders.lastIndex(of: "jsonschema"), format == folders.count - 2 else { return nil }
    switch word {
    case "version":
      return folders[format + 1].hasSuffix(".json") ? String(folders[format + 1].dropLast(5)) : folders[format + 1]
    case "name": return format > 0 ? folders[format - 1] : nil
    // A folder of one vendor's schemas may lack its name.
    default: return format > 1 && folders[format - 2] != "schemas" ? folders[format - 2] : nil
    }
  }
}
