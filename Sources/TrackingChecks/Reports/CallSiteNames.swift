import TrackingModel
import TrackingPatterns
import TrackingServer

/// The names of call sites in failures and reports: `CheckoutModel.swift:41`, with the module only where two files share a name.
package struct CallSiteNames: Sendable {
  /// File paths by file name.
  private var files: [String: Set<String>] = [:]

  /// The maximum number of call sites in a sentence.
  private static let mostSites = 5

  package init() {}

  package init(of sites: some Sequence<CallSite>) {
    for site in sites { add(site) }
  }

  package init(among entries: some Sequence<JournalEntry>) {
    self.init(of: entries.lazy.compactMap { $0.event?.event.callSite })
  }

  package mutating func add(_ site: CallSite) {
    let file = site.fileID
    files[Self.name(ofFile: file), default: []].insert(file)
  }

  package func name(of site: CallSite) -> String {
    let file = site.fileID
    let name = Self.name(ofFile: file)
    let shown = files[name, default: []].union([file]).count > 1 ? file : name
    return VisibleText.of(site.line.map { "\(shown):\($0)" } ?? shown)
  }

  private static func name(ofFile file: String) -> String {
    guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return file }
    let name = String(file[file.utf8.index(after: slash)...])
    return name.isEmpty ? file : name
  }

  /// Returns a sentence such as `#2 was tracked at CheckoutModel.swift:41, #3 at CheckoutView.swift:88`; `nil` if no entry has a call site.
  package func sentence(about entries: [JournalEntry]) -> String? {
    var groups: [(site: CallSite, numbers: [Int])] = []
    for case .event(let recorded) in entries {
      guard let site = recorded.event.callSite else { continue }
      if let index = groups.firstIndex(where: { $0.site == site }) {
        groups[index].numbers.append(recorded.number)
      } else {
        groups.append((site, [recorded.number]))
      }
    }
    guard let first = groups.first else { return nil }
    let subject = CountText.list(first.numbers.map { "#\($0)" })
    let isSame = groups.count == 1
    let beginning =
      switch first.numbers.count {
      case 1: "\(subject) was tracked at"
      case 2: "\(subject) were tracked\(isSame ? ", both" : "") at"
      default: "\(subject) were tracked\(isSame ? ", all" : "") at"
      }
    let others = groups.dropFirst().prefix(Self.mostSites - 1).map { group in
      "\(CountText.list(group.numbers.map { "#\($0)" })) at \(name(of: group.site))"
    }
    let rest = groups.count - 1 - others.count
    return (["\(beginning) \(name(of: first.site))"] + others + (rest > 0 ? ["\(rest) at other lines"] : []))
      .joined(separator: ", ")
  }
}
