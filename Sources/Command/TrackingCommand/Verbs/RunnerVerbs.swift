import Foundation
import TrackingJSON
import TrackingModel

extension Verb {
  static let wait = Verb(
    name: "wait",
    abstract: "Waits until a check of what a running `serve` has received passes or fails.",
    usage: ["<check> [<options>]"],
    discussion: """
      A check is an event's name with params, or a method with a path and the status of its response; values are JSON, \
      and everything else is a string. In quotes, params are compared by <, <=, >, >=, and =* is any value but null. Or it is JSON, for a count, an order, an absence, duplicates or the plan, and - \
      reads it from standard input; `tracking help waits` has all forms.
      """,
    findings: "the check fails, and standard error says why",
    examples: [
      "tracking wait 'purchase total>100 currency=EUR' --timeout 10", "tracking wait 'POST /orders responded=201'",
      "tracking wait '{\"noDuplicates\": {\"within\": 1}}'", "tracking wait - < check.json",
    ],
    operands: .init(names: ["check"], isList: true, help: "Words, JSON, or - for standard input."),
    options: [timeout, count, since, env, json]
  ) { arguments, output in
    let call = try CheckWords.call(arguments.operands) { FileHandle.standardInput.readDataToEndOfFile() }
    let added: [(VerbOption, TrackingValue?)] = [
      (
        timeout,
        try arguments.number(timeout, "of seconds from 0 to 86400") { (0...86_400).contains($0) }.map(
          TrackingValue.double)
      ),
      (count, try arguments.integer(count, in: 0 ... .max).map(TrackingValue.int)),
      (since, arguments[since].map(TrackingValue.string)),
    ]
    let members = try added.compactMap { option, value in
      let name = String(option.name.dropFirst(2))
      guard value == nil || call.json[name] == nil else {
        throw UsageError("\(option.name): the JSON has a \(name), too")
      }
      return value.map { JSONTree.Member(name, JSONTree(of: $0)) }
    }
    let response = try RunningServer(arguments, output).send("POST", "wait", call.json.adding(members))
    if let warning = response["warning"]?.string { output.say("warning: \(warning)") }
    guard response["passed"]?.bool != true else { return .success }
    output.say(
      lines: [response["message"]?.string ?? "failed", call.hint].compactMap(\.self).joined(separator: "\n\n"))
    return .findings
  }

  private static let timeout = VerbOption.value("--timeout", "seconds", "Seconds to wait; 5 by default.")
  private static let count = VerbOption.value("--count", "n", "How often it should arrive: no less, no more.")
  private static let since = VerbOption.value("--since", "mark", "The mark after which entries count.")
  private static let test = VerbOption.value("--test", "name", "The test's name, for the session, the page and JUnit.")
  static let env = VerbOption.value(
    "--env", "file", "The file that `serve --write-env` wrote; by default, TRACKING_SERVE has the URL.")

  static let mark = Verb(
    name: "mark",
    abstract: "Prints a mark: a later check with --since looks only at what arrives after it.",
    usage: ["[--as-default [--test <name>]] [--env <file>] [--json]"],
    examples: ["tracking wait purchase --since $(tracking mark)", "tracking mark --as-default --test checkout"],
    options: [asDefault, test, env, json]
  ) { arguments, output in
    guard arguments.has(asDefault) || !arguments.has(test) else { throw UsageError("--test needs --as-default") }
    let options: JSONTree = [
      "asDefault": arguments.has(asDefault) ? true : nil, "test": arguments[test].map { JSONTree($0) },
    ]
    let response = try RunningServer(arguments, output).send("POST", "marks", options)
    if !arguments.has(json), let mark = response["mark"]?.string { try output.line(mark) }
    return .success
  }

  private static let asDefault = VerbOption.flag(
    "--as-default", "Begins a test: checks without --since, the list of entries, and the finish look from here on.")

  static let finish = Verb(
    name: "finish",
    abstract: "Ends a test on a running `serve`: lost events, the plan, requests without a stub, late matches.",
    usage: ["[<options>]"],
    discussion: """
      Looks at what arrived since the default mark, or since the last finish if that is later.
      """,
    findings: "there are failures, and standard error lists them",
    examples: ["tracking finish --env serve.env", "tracking finish --test checkout --junit results.xml"],
    options: [since, test, junit, env, json]
  ) { arguments, output in
    let options: JSONTree = [
      "since": arguments[since].map { JSONTree($0) }, "test": arguments[test].map { JSONTree($0) },
    ]
    guard arguments[junit] != "-" || !arguments.has(json) else {
      throw UsageError("--json and --junit - can't both go to standard output; name a file for one of them")
    }
    let response = try RunningServer(arguments, output).send("POST", "finish", options)
    let messages = (response["failures"]?.elements ?? []).compactMap { $0["message"]?.string }
    // First, because the file may not be writable.
    if !messages.isEmpty { output.say(lines: messages.joined(separator: "\n\n")) }
    if let file = arguments[junit] { try output.write(JUnitFile(response).text, to: file) }
    return messages.isEmpty ? .success : .findings
  }

  private static let junit = VerbOption.value(
    "--junit", "file", "Writes the server's tests so far to this file, with their failed waits: JUnit's XML.")
}
