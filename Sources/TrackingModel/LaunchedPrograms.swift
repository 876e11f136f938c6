/// The programs that tests of this process have launched, for the failures of the verifiers that they were launched with.
package enum LaunchedPrograms {
  private struct Program: Sendable {
    let owner: ObjectIdentifier
    let values: [String]
    let ending: @Sendable () -> String?
  }

  private static let programs = Locked<[Program]>([])

  /// Adds a program, in place of the one that its owner launched before.
  ///
  /// - Parameters:
  ///   - values: The variables and arguments of its launch.
  ///   - ending: Describes its end; `nil` while it runs, and if the test has ended it.
  package static func add(
    of owner: AnyObject, launchedWith values: [String], ending: @escaping @Sendable () -> String?
  ) {
    let program = Program(owner: ObjectIdentifier(owner), values: values, ending: ending)
    programs.withLock { programs in
      programs.removeAll { $0.owner == program.owner }
      programs.append(program)
    }
  }

  /// Removes the program of an owner that is deallocated.
  package static func remove(of owner: AnyObject) {
    let owner = ObjectIdentifier(owner)
    programs.withLock { $0.removeAll { $0.owner == owner } }
  }

  /// The ends of the programs that were launched with a port of this machine, in the order of their launches.
  package static func endings(launchedWith port: Int) -> [String] {
    let digits = "\(port)"
    let programs = programs.withLock { $0 }.filter { program in
      program.values.contains { $0.split { !$0.isASCII || !$0.isNumber }.contains { $0 == digits } }
    }
    return programs.compactMap { $0.ending() }
  }
}
