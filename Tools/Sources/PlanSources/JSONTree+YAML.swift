import TrackingPlan
import TrackingPlanKit
import Yams

extension JSONTree {
  /// The most values of one file; aliases count each time they are used, so a small file can have very many.
  private static let mostValues = 500_000

  /// Reads one YAML document.
  ///
  /// Plain scalars mean what the core schema of YAML 1.2.2 (section 10.3.2) says: `no`, `on` and `1_000` are texts.
  ///
  static func yaml(_ text: String, file: String) throws(PlanError) -> JSONTree {
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw PlanError(inForeign: file, line: error.line, "isn't YAML: \(error.reason)")
    } catch {
      throw PlanError(inForeign: file, "isn't YAML: \(error)")
    }
    guard let root else { throw PlanError(inForeign: file, "the file is empty") }
    var rest = mostValues
    return try tree(of: root, file, &rest)
  }

  private static func tree(of node: Node, _ file: String, _ rest: inout Int) throws(PlanError) -> JSONTree {
    rest -= 1
    guard rest > 0 else {
      throw PlanError(inForeign: file, "has more than \(mostValues) values; aliases count each time they are used")
    }
    switch node {
    case .scalar(let scalar): return tree(of: scalar)
    case .alias(let alias):
      throw PlanError(inForeign: file, line: alias.mark?.line, "the alias *\(alias.anchor.rawValue) names nothing")
    case .sequence(let sequence):
      var elements: [JSONTree] = []
      for element in sequence { elements.append(try tree(of: element, file, &rest)) }
      return JSONTree(.array(elements))
    case .mapping(let mapping):
      var members: [Member] = []
      var merged: [Member] = []
      for (key, value) in mapping {
        guard let name = key.scalar?.string else {
          throw PlanError(inForeign: file, line: key.mark?.line, "a key of a plan is a text")
        }
        let value = try tree(of: value, file, &rest)
        // https://yaml.org/type/merge.html: members of one mapping or of several, behind the mapping's own.
        if name == "<<", key.scalar?.style == .plain {
          merged += value.elements?.flatMap { $0.members ?? [] } ?? value.members ?? []
        } else {
          members.append(Member(name, value))
        }
      }
      for member in merged where !members.contains(where: { $0.key == member.key }) { members.append(member) }
      return JSONTree(.object(members))
    }
  }

  private static func tree(of scalar: Node.Scalar) -> JSONTree {
    let text = scalar.string
    guard scalar.style == .plain || scalar.style == .any else { return JSONTree(text) }
    switch text {
    case "", "~", "null", "Null", "NULL": return JSONTree(.scalar(.null))
    case "true", "True", "TRUE": return true
    case "false", "False", "FALSE": return false
    default: break
    }
    // Most scalars are words, and looking for a pattern takes its time.
    guard text.first.map({ $0.isNumber || "+-.".contains($0) }) == true else { return JSONTree(text) }
    if text.wholeMatch(of: /[-+]?[0-9]+/) != nil, let value = Int(text) { return JSONTree(.scalar(.int(value))) }
    if text.wholeMatch(of: /0o[0-7]+/) != nil, let value = Int(text.dropFirst(2), radix: 8) {
      return JSONTree(.scalar(.int(value)))
    }
    if text.wholeMatch(of: /0x[0-9a-fA-F]+/) != nil, let value = Int(text.dropFirst(2), radix: 16) {
      return JSONTree(.scalar(.int(value)))
    }
    if text.wholeMatch(of: /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?/) != nil,
      let value = Double(text), value.isFinite
    {
      return JSONTree(.scalar(.double(value)))
    }
    return JSONTree(text)
  }
}

extension YamlError {
  fileprivate var line: Int? {
    switch self {
    case .reader: nil
    case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
    case .duplicatedKeysInMapping(_, let context): context.mark.line
    default: nil
    }
  }

  fileprivate var reason: String {
    switch self {
    case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _): problem
    case .duplicatedKeysInMapping(let keys, _): "the key \(keys.map { "\($0)" }.joined(separator: ", ")) appears twice"
    default: "\(self)"
    }
  }
}
