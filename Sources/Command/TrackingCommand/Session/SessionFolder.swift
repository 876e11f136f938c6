import Foundation
import TrackingPlan
import TrackingRules

/// A folder that may have sessions: files of `serve --save`, or attachments of tests, in any subfolder.
struct SessionFolder {
  let path: String

  private var paths: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }

  /// The paths of the folder's own sessions, recognized by their content.
  var sessions: [String] { paths.filter { $0.hasSuffix(".json") && SessionFile.isSession($0) } }

  /// The subfolders, without links to folders, which may lead back.
  var subfolders: [SessionFolder] {
    paths.filter { path in
      (try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType) == .typeDirectory
    }.map(SessionFolder.init)
  }

  var allSessions: [String] { sessions + subfolders.flatMap(\.allSessions) }

  var observations: ObservationFolder { ObservationFolder(URL(fileURLWithPath: path)) }

  /// Whether tests have written observations or sessions to the folder or a subfolder.
  var isRun: Bool { observations.isUsed || !sessions.isEmpty || subfolders.contains(where: \.isRun) }
}

extension ObservationFolder.Contents {
  /// Reads the observations in folders and sessions; throws if one of them has none, because its tests ran unobserved.
  init(in paths: [String], allRuns: Bool) throws(PlanError) {
    self.init()
    for path in paths {
      guard let isFolder = URL(fileURLWithPath: path).isFolder else {
        throw PlanError(
          file: path, reason: "no such file or folder" + (path.hasSuffix(".json") ? "" : Self.howToObserve))
      }
      var sessions: [SessionFile] = []
      if isFolder {
        let folder = SessionFolder(path: path)
        var isRun = try add(folder, allRuns: allRuns, sessions: &sessions)
        if !isRun, sessions.isEmpty { isRun = try add(folder.observations, allRuns: allRuns) }
        guard isRun || !sessions.isEmpty else {
          throw PlanError(file: path, reason: "contains no observations and no sessions" + Self.howToObserve)
        }
      } else {
        guard !path.hasSuffix(".ndjson") else {
          throw PlanError(file: path, reason: "is a file of observations; name its folder")
        }
        sessions = [try SessionFile(contentsOf: path)]
      }
      guard sessions.isEmpty || sessions.contains(where: { !$0.events.isEmpty }) else {
        throw PlanError(file: path, reason: "contains no events")
      }
      add(attempts: sessions.flatMap { $0.observations(below: isFolder ? path : nil) })
    }
  }

  private static let howToObserve =
    "; run the tests with TRACKING_OBSERVATIONS set to the folder (xcodebuild: TEST_RUNNER_TRACKING_OBSERVATIONS) and with the product TrackingPlan linked, or save sessions in it with `tracking serve --save`"

  /// Adds the observations in a folder and its subfolders, and reads the sessions of those without observations; returns whether there are
  /// observations.
  ///
  /// Sessions next to observations belong to the same tests.
  private mutating func add(
    _ folder: SessionFolder, allRuns: Bool, sessions: inout [SessionFile]
  ) throws(PlanError) -> Bool {
    if folder.observations.isUsed, try add(folder.observations, allRuns: allRuns) { return true }
    for path in folder.sessions { sessions.append(try SessionFile(contentsOf: path)) }
    var isObserved = false
    for subfolder in folder.subfolders where try add(subfolder, allRuns: allRuns, sessions: &sessions) {
      isObserved = true
    }
    return isObserved
  }

  var isLoneSession: Bool { Set(observations.map(\.session)).count == 1 && observations[0].session != nil }
}

extension SessionFile {
  /// Returns a file's path, or the paths of the sessions in a folder; the folder's path if it has none.
  static func files(at path: String) -> [String] {
    let sessions = SessionFolder(path: path).allSessions
    return sessions.isEmpty ? [path] : sessions
  }

  fileprivate static let idPrefix = "session-"

  /// The session as observations of its tests, for coverage, comparisons and drafts.
  ///
  /// A test's session is one observation. A session of `serve` is one for each named test, and one for the rest, named by the session's path.
  ///
  /// - Parameter folder: The folder whose sessions are read; paths are relative to it.
  fileprivate func observations(below folder: String?) -> [Observation] {
    let path = String(folder.map { name.dropFirst($0.count).drop { $0 == "/" } } ?? name[...])
    let named = tests.filter { !$0.name.isEmpty }
    var parts = named.map { (test: ServedTest?.some($0), events: [Entry]()) }
    var rest: [Entry] = []
    var part = 0
    for entry in entries where entry.event != nil {
      if named.indices.contains(part), entry.number < named[part].from { part = 0 }
      while part + 1 < named.count, named[part + 1].from <= entry.number { part += 1 }
      if named.indices.contains(part), named[part].contains(entry.number) {
        parts[part].events.append(entry)
      } else {
        rest.append(entry)
      }
    }
    if !rest.isEmpty || named.isEmpty { parts.insert((nil, rest), at: 0) }
    return parts.map { observation(of: $0.test, $0.events, named: isServed || title.isEmpty ? path : title) }
  }

  /// - Parameter test: A named test; `nil` for the rest of the session.
  private func observation(of test: ServedTest?, _ events: [Entry], named name: String) -> Observation {
    let collector = ObservationCollector(limits: .none)
    for entry in events { entry.event.map { collector.add($0, isMatched: entry.isMatched) } }
    let number = test.map { $0.place + 1 } ?? 0
    var observation = collector.observation(
      id: "\(Self.idPrefix)\(identity)/\(number)", test: test?.name ?? name)
    observation.plan = plan
    observation.omittedEntries = omitted
    observation.isServed = isServed
    observation.hasFailed =
      test?.hasFailed ?? (isServed ? tests.contains { $0.name.isEmpty && $0.hasFailed } : !failures.isEmpty)
    observation.attempt = test?.attempt.map {
      // Sessions without a time have no order.
      TestAttempt(of: began == nil ? "\(identity)/\($0.test)" : $0.test, began: (began ?? 0) + $0.began)
    }
    return observation
  }
}

extension Observation {
  /// The session that it was read from; `nil` for an observation of a test process.
  var session: Substring? { id.hasPrefix(SessionFile.idPrefix) ? id.split(separator: "/").first : nil }

  /// Whether it is a whole session, or its part outside named tests.
  var isRestOfSession: Bool { session != nil && id.hasSuffix("/0") }
}
