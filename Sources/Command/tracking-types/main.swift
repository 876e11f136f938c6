import Foundation
import TrackingModel
import TrackingPlan

// Generates the types of a plan for the plugin TrackingPlanGenerator. A separate tool, because a dependent's build compiles what
// its plugins run.
let words = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard (2...3).contains(words.count) else {
  StandardError.write("usage: tracking-types PLAN FILE [CONFIGURATION]\n")
  exit(2)
}

/// On one line: build services read commands from lines that a plan's text could begin.
func report(_ problem: PlanError) {
  StandardError.write(problem.compilerMessage.split(whereSeparator: \.isNewline).joined(separator: "\\n") + "\n")
}

do {
  let configuration = try words.count == 3 ? GeneratorConfiguration(contentsOf: words[2]) : .beside(words[0])
  let plan = try TrackingPlan(contentsOf: words[0], source: configuration.source)
  let generator = SwiftGenerator(plan: plan, configuration: configuration)
  generator.problems.forEach(report)
  guard generator.problems.isEmpty else { exit(2) }
  try Data(generator.file().utf8).write(to: words[1])
} catch let problem as PlanError {
  report(problem)
  exit(2)
} catch {
  StandardError.write("error: \(words[1].path) can't be written: \(FileReason.of(error))\n")
  exit(2)
}
