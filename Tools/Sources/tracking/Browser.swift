import Foundation

/// The program that opens an address in the browser.
enum Browser {
  /// Opens an address with the program that `BROWSER` names, or else with the system's.
  ///
  /// - Returns: Whether there is such a program, and it was started.
  static func open(_ url: URL) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let wanted = [environment["BROWSER"], systemProgram].compactMap { $0 }.filter { !$0.isEmpty }
    let paths = wanted.flatMap { name in name.contains("/") ? [name] : folders.map { "\($0)/\(name)" } }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [url.absoluteString]
    // Its output doesn't belong to this command's.
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return (try? process.run()) != nil
  }
}
