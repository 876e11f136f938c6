import Foundation
import TrackingPlan

/// The generator's options, in `tracking-plan-generator.json` beside the plan, since a vendor's plan must not be edited.
package struct GeneratorConfiguration: Sendable {
  /// The name of the configuration's file.
  package static let fileName = "tracking-plan-generator.json"

  /// The plan's path, relative to the configuration's folder.
  package var plan: String?
  package var access = "public"
  /// An enum around all types.
  package var namespace: String?
  /// Swift names by names in the plan: `purchase`, `purchase.total`, `purchase.method=card`.
  package var names: [String: String] = [:]
  /// The events to generate, or all if empty; `*` matches any characters.
  package var include: [String] = []
  package var exclude: [String] = []
  package var source: String?

  package init() {}

  private static let members = ["plan", "access", "namespace", "names", "include", "exclude", "source"]

  package init(contentsOf url: URL) throws(PlanError) {
    let files = try PlanFiles(contentsOf: url)
    guard let file = files.files.first, let members = file.root.members else {
      throw PlanError(file: files.name, line: 1, reason: "a configuration must be an object")
    }
    for member in members {
      let value = member.value
      func text() throws(PlanError) -> String {
        guard let text = value.string else {
          throw files.error(at: value, path: member.key, "must be a string, found \(value.kind)")
        }
        return text
      }
      func texts() throws(PlanError) -> [String] {
        guard let texts = value.elements?.compactMap(\.string), texts.count == value.elements?.count else {
          throw files.error(at: value, path: member.key, "must be an array of strings, found \(value.kind)")
        }
        return texts
      }
      switch member.key {
      case "plan": plan = try text()
      case "namespace": namespace = try text()
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
          guard let text = name.value.string else {
            throw files.error(at: name.value, path: "names.\(name.key)", "must be a string, found \(name.value.kind)")
          }
          names[name.key] = text
        }
      default:
        let nearest = NearestName.of(member.key, among: Self.members).map { "; the nearest is `\($0)`" }
        throw files.error(
          at: value, path: "",
          "`\(member.key)` is not a member of a configuration\(nearest ?? "; expected one of \(Self.members.joined(separator: ", "))")"
        )
      }
    }
  }

  /// Whether code is generated for an event.
  func includes(_ name: String) -> Bool {
    (include.isEmpty || include.contains { Self.matches(name, $0) }) && !exclude.contains { Self.matches(name, $0) }
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
