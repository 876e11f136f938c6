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
  package var environment: [String: String] { ["STOREFRONT_GROUP": folder.path] }

  /// Refreshes the widget, as the system does: without the variables that a test hands over.
  ///
  /// - Returns: The widget's log.
  package func refreshWidget() throws -> String {
    let widget = TestApp("storefront")
    widget.launchArguments = ["-widget"]
    widget.launchEnvironment = environment
    try widget.launch()
    try widget.waitForExit()
    return widget.errorOutput
  }
}
