#if canImport(XcodeProjectPlugin)
  import PackagePlugin
  import XcodeProjectPlugin

  extension TrackingPlanGenerator: XcodeBuildToolPlugin {
    /// Creates the command for a target of an Xcode project.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      PlanFilesOfTarget.commands(
        for: target.inputFiles.map(\.url), of: target.displayName, tool: try context.tool(named: "tracking-types").url,
        folder: context.pluginWorkDirectoryURL)
    }
  }
#endif
