import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

/// Runs the public JSON Schema Test Suite from a folder and prints how many of its cases come out as they should.
@main
struct SchemaSuite {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let showsFailures = arguments.contains("--failures")
    guard let folder = arguments.first(where: { !$0.hasPrefix("--") }) else {
      print(
        "usage: json-schema-suite FOLDER [--failures]\n\nFOLDER holds `draft7` and the like, and `remotes`; or `tests` with the drafts in it."
      )
      exit(2)
    }
    guard let suite = SuiteFolder(path: folder) else {
      print("json-schema-suite: \(folder) holds no draft4, draft6, draft7, draft2019-09 or draft2020-12")
      exit(2)
    }
    var isComplete = true
    for draft in suite.drafts {
      var (required, optional) = (Tally(), Tally())
      for file in suite.files(of: draft) {
        let tally = suite.run(file, of: draft)
        if file.isOptional { optional.add(tally) } else { required.add(tally) }
      }
      print("\(draft.name): required \(required.text), optional \(optional.text)")
      if showsFailures { (required.failures + optional.failures).forEach { print("  \($0)") } }
      isComplete = isComplete && required.failed == 0
    }
    exit(isComplete ? 0 : 1)
  }
}

/// Cases that came out as they should, and those that didn't.
struct Tally {
  var passed = 0
  var failures: [String] = []
  var failed: Int { failures.count }

  mutating func add(_ other: Tally) {
    passed += other.passed
    failures += other.failures
  }

  var text: String {
    let all = passed + failed
    guard all > 0 else { return "none" }
    return "\(passed) of \(all) (\(String(format: "%.2f", Double(passed) * 100 / Double(all))) %)"
  }
}

/// A folder with the suite's cases.
struct SuiteFolder {
  struct Draft {
    let name: String
    let draft: JSONSchemaDraft
  }

  struct File {
    let path: String
    let isOptional: Bool
    let asserts: Bool
  }

  private let tests: URL
  private let documents: [JSONSchemaDraft: JSONSchema.Documents]
  let drafts: [Draft]

  init?(path: String) {
    let root = URL(fileURLWithPath: path)
    let inner = root.appendingPathComponent("tests")
    tests = FileManager.default.fileExists(atPath: inner.path) ? inner : root
    let known: [(String, JSONSchemaDraft)] = [
      ("draft4", .draft04), ("draft6", .draft06), ("draft7", .draft07), ("draft2019-09", .draft2019),
      ("draft2020-12", .draft2020),
    ]
    let tests = tests
    drafts = known.filter { FileManager.default.fileExists(atPath: tests.appendingPathComponent($0.0).path) }
      .map { Draft(name: $0.0, draft: $0.1) }
    guard !drafts.isEmpty else { return nil }
    documents = Dictionary(uniqueKeysWithValues: drafts.map { ($0.draft, Self.documents(below: root, $0.draft)) })
  }

  /// The schemas that the suite expects under localhost:1234, and the meta-schemas.
  private static func documents(below root: URL, _ draft: JSONSchemaDraft) -> JSONSchema.Documents {
    var documents: JSONSchema.Documents = []
    let remotes = root.appendingPathComponent("remotes")
    let paths = FileManager.default.enumerator(atPath: remotes.path)?.compactMap { $0 as? String } ?? []
    for path in paths where path.hasSuffix(".json") {
      guard let data = try? Data(contentsOf: remotes.appendingPathComponent(path)),
        let node = try? JSONTree(document: data)
      else { continue }
      documents.append(("http://localhost:1234/\(path)", node, draft))
    }
    for (uri, draft, text) in MetaSchemas.all {
      guard let node = try? JSONTree(document: Data(text.utf8)) else {
        print("json-schema-suite: the meta-schema \(uri) can't be read")
        continue
      }
      documents.append((uri, node, draft))
    }
    return documents
  }

  func files(of draft: Draft) -> [File] {
    let folder = tests.appendingPathComponent(draft.name)
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".json") }.sorted().map { path in
      File(
        path: folder.appendingPathComponent(path).path, isOptional: path.hasPrefix("optional"),
        asserts: path.hasPrefix("optional/format"))
    }
  }

  func run(_ file: File, of draft: Draft) -> Tally {
    var tally = Tally()
    let name = file.path.split(separator: "/").suffix(3).joined(separator: "/")
    guard let data = FileManager.default.contents(atPath: file.path) else { return tally }
    let groups: [JSONTree]
    do {
      groups = try JSONTree(document: data).elements ?? []
    } catch {
      // Numbers beyond 64 bits: the file is read otherwise, to count what it would have checked.
      let cases = String(decoding: data, as: UTF8.self).components(separatedBy: "\"valid\":").count - 1
      tally.failures = (0..<cases).map { "\(name) \($0): the file can't be read: \(error.reason)" }
      return tally
    }
    for group in groups {
      guard let schema = group["schema"] else { continue }
      let options = JSONSchema.Options(assertsFormats: file.asserts)
      let compiled = Result { () throws(JSONSchema.Failure) in
        try JSONSchema(
          schema, uri: "suite:schema", draft: draft.draft, documents: documents[draft.draft]!, options: options)
      }
      for test in group["tests"]?.elements ?? [] {
        guard let data = test["data"], let expected = test["valid"]?.bool else { continue }
        let title = "\(name): \(group["description"]?.string ?? ""): \(test["description"]?.string ?? "")"
        switch compiled {
        case .success(let schema):
          if schema.isValid(data.value) == expected {
            tally.passed += 1
          } else {
            tally.failures.append("\(title): expected \(expected ? "valid" : "invalid")")
          }
        case .failure(let failure):
          tally.failures.append("\(title): the schema can't be used: \(failure.path): \(failure.reason)")
        }
      }
    }
    return tally
  }
}

extension JSONTree {
  /// Reads a document whose places differ from all others'.
  init(document: Data) throws(JSONError) {
    self = try JSONTree(document, file: .random(in: 0 ..< .max), maximumDepth: 500)
  }
}
