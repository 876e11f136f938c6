import Foundation
import TestAppLauncher

/// The folder that the processes of one shop share, and the shop's widget.
package final class StorefrontGroup {
  /// Beside the program, because a hard link can't lead to another file system.
  private let folder = TestApp("storefront").executable.deletingLastPathComponent().appending(path: UUID().uuidString)

  package init() {}

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The variable that names the folder; on Apple's platforms an app group needs none.
  package var environment: [String: String] { ["STOREFRONT_GROUP": folder.appending(path: "group").path] }

  /// Refreshes the widget, as the system does: without the variables that a test passes, in an executable of another name.
  ///
  /// - Returns: The widget's log.
  package func refreshWidget() throws -> String {
    let executable = folder.appending(path: "storefront-widget")
    if !FileManager.default.fileExists(atPath: executable.path) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // Not a copy, which the system doesn't execute while a process that another test started still has its descriptor, and not a symbolic
      // link, because the process would have the name of its target.
      try FileManager.default.linkItem(at: TestApp("storefront").executable, to: executable)
    }
    let widget = TestApp(executable: executable)
    widget.launchArguments = ["-widget"]
    widget.launchEnvironment = environment
    try widget.launch()
    try widget.waitForExit()
    return widget.errorOutput
  }
}
