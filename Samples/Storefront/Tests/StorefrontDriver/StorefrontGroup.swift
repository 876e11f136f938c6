import Foundation
import TestAppLauncher

/// The folder that the processes of one shop share, and the shop's widget.
package final class StorefrontGroup {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  package init() {}

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The variable that names the folder; on Apple's platforms an app group needs none.
  package var environment: [String: String] { ["STOREFRONT_GROUP": folder.appending(path: "group").path] }

  /// Refreshes the widget, as the system does: without the variables that a test hands over, in an executable of another name.
  ///
  /// - Returns: The widget's log.
  package func refreshWidget() throws -> String {
    let executable = folder.appending(path: "storefront-widget")
    if !FileManager.default.fileExists(atPath: executable.path) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // A copy, because a process that is started by a link has the name of the link's target.
      try FileManager.default.copyItem(at: TestApp("storefront").executable, to: executable)
    }
    let widget = TestApp(executable: executable)
    widget.launchArguments = ["-widget"]
    widget.launchEnvironment = environment
    try widget.launch()
    try widget.waitForExit()
    return widget.errorOutput
  }
}
