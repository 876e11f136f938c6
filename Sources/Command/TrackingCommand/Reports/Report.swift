import TrackingJSON
import TrackingModel

enum ReportForm: String, CaseIterable, Sendable {
  case text, markdown
  case json
  /// Annotations of a plan's lines.
  case github
}

struct Report {
  let value: TrackingValue
  let write: (inout ReportPage) -> Void
  var others: [ReportForm: () -> String] = [:]

  /// Returns the report in a form, or as text if it doesn't have that form; ends with a line feed.
  func text(as form: ReportForm) -> String {
    if let other = others[form] { return other() }
    if form == .json { return JSONTree(of: value).text(.lines) + "\n" }
    var page = ReportPage(isMarkdown: form == .markdown)
    write(&page)
    return page.lines.map { $0 + "\n" }.joined()
  }
}

/// The options of a verb that prints a report.
struct ReportOptions {
  private let forms: [ReportForm]
  private let form: VerbOption
  private let files: VerbOption
  private static let json = VerbOption.flag("--json", "Writes JSON: the report, as --report json does.")
  private static let endings: [(ending: String, form: ReportForm)] = [
    ("txt", .text), ("md", .markdown), ("json", .json),
  ]

  init(_ forms: [ReportForm]) {
    self.forms = forms
    let names = forms.map { $0 == .text ? "text (default)" : $0.rawValue }
    form = .value(
      "--report", "form", "The form of the report: \(names.joined(separator: ", ")).",
      completion: .words(forms.map(\.rawValue)))
    let endings = Self.endings.filter { forms.contains($0.form) }.map(\.ending)
    files = .values(
      "--output", "file", "Also writes a file: \(Self.list(endings)).", letter: "o", completion: .files)
  }

  var all: [VerbOption] { [form, files, Self.json] }

  /// The destinations on a command line, with their forms; the last one is standard output.
  func destinations(_ arguments: Arguments) throws(UsageError) -> [(path: String, form: ReportForm)] {
    let endings = Self.endings.filter { forms.contains($0.form) }
    let named = try arguments.all(files).map { path throws(UsageError) -> (path: String, form: ReportForm) in
      let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased()
      guard let form = endings.first(where: { $0.ending == ending })?.form else {
        throw UsageError(
          "--output: \(path) must end in \(Self.list(endings.map(\.ending).sorted())), which says the form of the report"
        )
      }
      return (path, form)
    }
    let requested = arguments[form].flatMap(ReportForm.init)
    if arguments.has(Self.json), let requested, requested != .json {
      throw UsageError("--json is --report json, and can't be given with --report \(requested)")
    }
    return named + [("-", requested ?? (arguments.has(Self.json) ? .json : .text))]
  }

  private static func list(_ endings: [String]) -> String {
    endings.map { ".\($0)" }.inWords(last: "or")
  }
}

extension Output {
  func write(_ report: Report, to destinations: [(path: String, form: ReportForm)]) throws {
    for (path, form) in destinations { try write(report.text(as: form), to: path) }
  }
}
