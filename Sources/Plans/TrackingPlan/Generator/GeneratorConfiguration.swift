import Foundation
import TrackingModel
import TrackingRules

/// The generator's options, from `tracking-plan-generator.json` next to the plan, since a vendor's plan must not be edited.
package struct GeneratorConfiguration: Sendable {
  package static let fileName = PlanFiles.configurationName

  /// The plan's path, relative to the configuration's folder.
  package var plan: String?
  package var access = "public"
  /// The access level before a declaration, with a trailing space; empty for internal types.
  package var accessPrefix: String { access == "internal" ? "" : "\(access) " }
  /// An enum around all types.
  package var namespace: String?
  /// Swift names by their paths in the plan: `purchase`, `purchase.total`, `purchase.method=card`.
  package var names: [String: String] = [:]
  /// The events to generate, or all if empty; `*` matches any characters.
  package var include: [String] = []
  package var exclude: [String] = []
  package var source: String?

  package init() {}

  /// The places of `include`, `exclude` and the namespace, for messages.
  private var places: [String: PlanPlace] = [:]

  private static let members = ["plan", "access", "namespace", "names", "include", "exclude", "source"]

  package init(contentsOf url: URL) throws(PlanError) {
    let files = try PlanFiles(contentsOf: url)
    guard let file = files.files.first, let members = file.root.members else {
      throw PlanError(file: files.name, line: 1, reason: "a configuration must be an object")
    }
    for member in members {
      let value = member.value
      places[member.key] = files.place(of: value)
      func text() throws(PlanError) -> String {
        try files.required(value.string, "a string", of: value, path: member.key)
      }
      func texts() throws(PlanError) -> [String] {
        guard let texts = value.elements?.compactMap(\.string), texts.count == value.elements?.count else {
          throw files.error(at: value, path: member.key, "must be an array of strings, found \(value.kind)")
        }
        return texts
      }
      switch member.key {
      case "plan": plan = try text()
      case "namespace": namespace = try text().composed
      case "source": source = try text()
      case "include": include = try texts()
      case "exclude": exclude = try texts()
      case "access":
        access = try text()
        guard ["public", "package", "internal"].contains(access) else {
          throw files.error(
            at: value, path: "access", "\"\(access)\" is not an access level; expected public, package or internal")
        }
      case "names":
        for name in value.members ?? [] {
          names[name.key] = try files.required(name.value.string, "a string", of: name.value, path: "names.\(name.key)")
        }
      default:
        throw files.error(
          at: value, path: "",
          "`\(member.key)` is not a member of a configuration"
            + EditDistance.hint(for: member.key, among: Self.members, quote: "`"))
      }
    }
  }

  /// Reads the configuration next to a plan's file or folder; the default one if there is none.
  package static func beside(_ plan: URL) throws(PlanError) -> GeneratorConfiguration {
    let isFolder = (try? plan.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    let file = (isFolder ? plan : plan.deletingLastPathComponent()).appendingPathComponent(fileName)
    guard FileManager.default.fileExists(atPath: file.path) else { return GeneratorConfiguration() }
    return try GeneratorConfiguration(contentsOf: file)
  }

  package func includes(_ name: String) -> Bool {
    (include.isEmpty || include.contains { Self.matches(name, $0) }) && !exclude.contains { Self.matches(name, $0) }
  }

  /// The patterns of `include` and `exclude` that match no event, and an invalid namespace.
  package func problems(for plan: TrackingPlan) -> [PlanError] {
    var problems: [PlanError] = []
    func add(_ key: String, _ reason: String) {
      let place = places[key]
      problems.append(PlanError(file: place?.file ?? Self.fileName, line: place?.line, path: key, reason: reason))
    }
    for (key, patterns) in [("include", include), ("exclude", exclude)] {
      for pattern in patterns where !plan.events.contains(where: { Self.matches($0.name, pattern) }) {
        let nearest = EditDistance.nearest(to: pattern, among: plan.events.map(\.name)).map {
          "; the nearest is \"\($0)\""
        }
        add(key, "no event of the plan matches \"\(pattern)\"\(nearest ?? "")")
      }
    }
    if let namespace, !SwiftName.isType(namespace) {
      add("namespace", "\(namespace.swiftLiteral) can't be a name in Swift")
    }
    return problems
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return name == pattern }
    guard name.hasPrefix(first), name.count >= first.count + last.count, name.hasSuffix(last) else { return false }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}

// MARK: - Names

/// The names of types and their members in Swift.
///
/// A path is a place in the plan: `purchase.items.price`, `types.Currency`.
extension GeneratorConfiguration {
  package func typeName(of event: PlannedEvent) -> String {
    (names[event.name] ?? event.swiftName ?? SwiftName.type(event.name, prefix: "Event")).composed
  }

  package func typeName(ofShared type: String) -> String {
    (names["types.\(type)"] ?? SwiftName.type(type, prefix: "Value")).composed
  }

  /// The type name that a param with a list of values or an object needs.
  package func typeName(of param: PlannedParam, path: String) -> String {
    // The type of an array's elements can be named separately from the property.
    if let name = names["\(path).\(param.name)[]"] { return name.composed }
    return SwiftName.type(names["\(path).\(param.name)"] ?? param.swiftName ?? param.name, prefix: "Value").composed
  }

  package func memberName(of param: PlannedParam, path: String) -> String {
    (names["\(path).\(param.name)"] ?? param.swiftName ?? SwiftName.member(param.name, prefix: "param")).composed
  }

  package func caseName(of value: String, path: String) -> String {
    (names["\(path)=\(value)"] ?? (value.isEmpty ? "empty" : SwiftName.member(value, prefix: "value"))).composed
  }
}

extension [PlannedParam] {
  /// The params in the order of their type's properties and initializer: required ones first.
  package var requiredFirst: [PlannedParam] { filter { !$0.isOptional } + filter(\.isOptional) }
}
