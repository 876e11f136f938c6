#if canImport(XcodeProjectPlugin)
  import PackagePlugin
  import XcodeProjectPlugin

  extension TrackingPlanGenerator: XcodeBuildToolPlugin {
    /// Creates the command for a target of an Xcode project.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      [
        try PlanFilesOfTarget(target.inputFiles.map(\.url), target: target.displayName)
          .command(tool: try context.tool(named: "tracking-plan").url, folder: context.pluginWorkDirectoryURL)
      ]
    }
  }
#endif
