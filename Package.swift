// swift-tools-version: 6.2

import PackageDescription

// No package dependencies, ever: whoever adds this to an app fetches nothing else.
let package = Package(
  name: "TrackingVerifier",
  platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .visionOS(.v1)],
  products: [
    .library(name: "TrackingModel", targets: ["TrackingModel"]),
    .library(name: "TrackerDouble", targets: ["TrackerDouble"]),
    .library(name: "StubModel", targets: ["StubModel"]),
    .library(name: "StubbedSession", targets: ["StubbedSession"]),
    // For apps that replay recordings by themselves; StubRecording, which records them, needs a server.
    .library(name: "StubReplay", targets: ["StubReplay"]),
    .library(name: "TrackingServer", targets: ["TrackingServer"]),
    .library(name: "TrackingInspector", targets: ["TrackingInspector"]),
    .library(name: "TrackingVendors", targets: ["TrackingVendors"]),
    // The formats of TrackingVendors for a server without a test; needs no test framework.
    .library(name: "VendorFormats", targets: ["VendorFormats"]),
    .library(name: "StubRecording", targets: ["StubRecording"]),
    .library(name: "TrackingVerifier", targets: ["TrackingVerifier"]),
    .library(name: "TrackingTesting", targets: ["TrackingTesting"]),
    .library(name: "TrackingPlan", targets: ["TrackingPlan"]),
    .library(name: "TrackingAudit", targets: ["TrackingAudit"]),
    .executable(name: "tracking", targets: ["tracking-main"]),
    .plugin(name: "TrackingPlanGenerator", targets: ["TrackingPlanGenerator"]),
    .library(name: "TestAppLauncher", targets: ["TestAppLauncher"]),
  ],
  targets: [
    .target(name: "TrackingModel"),
    .target(name: "TrackingJSON", dependencies: ["TrackingModel"], path: "Sources/Support/TrackingJSON"),
    .target(name: "TrackingPatterns", dependencies: ["TrackingModel"], path: "Sources/Support/TrackingPatterns"),
    // Rules that judge one event, and the run of a test. Apart from TrackingPatterns, whose names each test sees.
    .target(name: "TrackingRules", dependencies: ["TrackingModel"], path: "Sources/Support/TrackingRules"),
    .target(name: "TrackingSockets", dependencies: ["TrackingModel"], path: "Sources/Support/TrackingSockets"),
    // The launch of a process: passed by a test, or shared by another process of the app.
    .target(
      name: "TrackingLaunch", dependencies: ["TrackingModel", "TrackingSockets"],
      path: "Sources/Support/TrackingLaunch"),
    .target(name: "TrackerDouble", dependencies: ["TrackingLaunch", "TrackingModel", "TrackingSockets"]),
    .target(
      name: "StubModel", dependencies: ["TrackingModel", "TrackingJSON", "TrackingPatterns"],
      path: "Sources/Support/StubModel"),
    .target(
      name: "StubbedSession", dependencies: ["StubModel", "TrackingLaunch", "TrackingModel", "TrackingPatterns"],
      path: "Sources/Stubs/StubbedSession"),
    .target(
      name: "TrackingServer",
      dependencies: [
        "TrackingRules", "TrackingModel", "TrackingJSON", "TrackingPatterns", "TrackingSockets", "StubModel",
      ]),
    .target(
      name: "VendorFormats",
      dependencies: ["TrackingServer", "TrackingModel", "TrackingPatterns", "TrackingJSON", "StubModel"],
      path: "Sources/Extras/VendorFormats"),
    // The names of secrets, for recordings and for sessions.
    .target(name: "TrackingSecrets", dependencies: ["TrackingModel"], path: "Sources/Support/TrackingSecrets"),
    // Reads recordings and makes stubs of them. Apart from StubModel, so that only those who replay compile it.
    .target(
      name: "StubReplay", dependencies: ["StubModel", "TrackingJSON", "TrackingModel", "TrackingPatterns"],
      path: "Sources/Stubs/StubReplay"),
    // Apart from TrackingServer, because it talks to real backends and so needs Foundation's networking.
    .target(
      name: "StubRecording",
      dependencies: [
        "StubReplay", "TrackingRules", "TrackingSecrets", "TrackingServer", "StubModel", "TrackingJSON",
        "TrackingModel", "TrackingSockets",
      ], path: "Sources/Stubs/StubRecording"),
    .target(
      name: "TrackingInspector",
      dependencies: [
        "TrackingRules", "TrackingServer", "TrackingModel", "TrackingSecrets", "TrackingSockets", "StubModel",
      ], path: "Sources/Extras/TrackingInspector"),
    // The questions about a timeline, and their answers in words. Apart from TrackingVerifier, because it needs no test framework.
    .target(
      name: "TrackingChecks",
      dependencies: ["TrackingRules", "TrackingModel", "TrackingPatterns", "TrackingServer", "StubModel"]),
    .target(
      name: "TrackingVerifier",
      dependencies: [
        "TrackingRules", "TrackingChecks", "TrackingModel", "TrackingPatterns",
        "TrackingServer", "StubModel",
      ]),
    // The verifier's calls for vendors' formats. Apart from VendorFormats, because the command `tracking` must not need XCTest.
    .target(
      name: "TrackingVendors",
      dependencies: [
        "VendorFormats", "TrackingVerifier", "TrackingChecks", "TrackingServer", "TrackingPatterns", "TrackingModel",
      ], path: "Sources/Extras/TrackingVendors"),
    // Apart from TrackingVerifier, because a module that UI tests import must not mention Testing.
    .target(
      name: "TrackingTesting",
      dependencies: ["TrackingRules", "TrackingChecks", "TrackingVerifier", "TrackingModel"]),
    // Reads files and judges events; knows no test framework and opens no socket.
    .target(
      name: "TrackingPlan", dependencies: ["TrackingRules", "TrackingModel", "TrackingJSON"],
      path: "Sources/Plans/TrackingPlan"),
    // Questions that few tests ask, so that the others don't compile them.
    .target(
      name: "TrackingAudit",
      dependencies: [
        "TrackingRules",
        "TrackingPlan", "TrackingPatterns", "TrackingChecks", "TrackingVerifier",
        "TrackingServer", "TrackingJSON",
        "TrackingModel", "StubModel",
      ], path: "Sources/Plans/TrackingAudit"),
    // The command `tracking`. No module is called `tracking`: an app may have one called `Tracking`, and file systems ignore case.
    .target(
      name: "TrackingCommand",
      dependencies: [
        "StubModel", "StubRecording", "StubReplay", "TrackingInspector", "TrackingJSON", "TrackingModel",
        "TrackingPatterns", "TrackingPlan", "TrackingChecks", "TrackingRules", "TrackingServer", "TrackingSockets",
        "VendorFormats",
      ], path: "Sources/Command/TrackingCommand"),
    .executableTarget(name: "tracking-main", dependencies: ["TrackingCommand"], path: "Sources/Command/tracking-main"),
    // The plugin's tool: a dependent's build compiles it, so it needs TrackingPlan alone.
    .executableTarget(
      name: "tracking-types", dependencies: ["TrackingPlan", "TrackingModel"], path: "Sources/Command/tracking-types"),
    .plugin(name: "TrackingPlanGenerator", capability: .buildTool(), dependencies: ["tracking-types"]),
    // Launches command-line programs; macOS and Linux only, since other systems have no `Process`.
    .target(name: "TestAppLauncher", dependencies: ["TrackingModel"], path: "Sources/Extras/TestAppLauncher"),

    .testTarget(
      name: "TestAppLauncherTests",
      dependencies: [
        "TestAppLauncher", "TrackingVerifier", "TrackingChecks", "TrackerDouble", "AppProbe", "TestSupport",
        "TrackingModel",
      ], path: "Tests/Extras/TestAppLauncherTests"),
    .testTarget(name: "TrackingModelTests", dependencies: ["TrackingModel", "TestSupport"]),
    .testTarget(
      name: "TrackingPatternsTests",
      dependencies: ["TrackingPatterns", "TrackingModel", "TrackingSockets", "TestSupport"],
      path: "Tests/Support/TrackingPatternsTests"),
    .testTarget(
      name: "TrackingJSONTests", dependencies: ["TrackingJSON", "TrackingModel", "TestSupport"],
      path: "Tests/Support/TrackingJSONTests"),
    .testTarget(
      name: "StubModelTests", dependencies: ["StubModel", "TrackingPatterns", "TrackingModel", "TestSupport"],
      path: "Tests/Support/StubModelTests",
      resources: [.copy("StubFiles")]),
    .testTarget(
      name: "StubbedSessionTests",
      dependencies: [
        "StubbedSession", "StubModel", "TrackingLaunch", "TrackingVerifier", "TrackingServer", "TrackingModel",
        "TrackingSockets",
      ], path: "Tests/Stubs/StubbedSessionTests"),
    .testTarget(
      name: "TrackingLaunchTests",
      dependencies: ["TrackingLaunch", "TrackingServer", "TrackingModel", "TrackingSockets", "TestSupport"],
      path: "Tests/Support/TrackingLaunchTests"),
    .testTarget(
      name: "TrackingRulesTests", dependencies: ["TrackingRules", "TrackingModel"],
      path: "Tests/Support/TrackingRulesTests"),
    .testTarget(
      name: "TrackingPlanTests",
      dependencies: ["TestSupport", "TrackingRules", "TrackingPlan", "TrackingModel", "TrackingJSON"],
      path: "Tests/Plans/TrackingPlanTests"),
    .testTarget(
      name: "TrackingAuditTests",
      dependencies: [
        "TrackingRules",
        "TrackingAudit", "TrackingPlan", "TrackingCommand", "TrackingTesting", "TrackingVerifier", "TrackingChecks",
        "TrackingServer", "TrackingPatterns", "TrackingJSON", "TrackingModel", "TestSupport",
      ], path: "Tests/Plans/TrackingAuditTests",
      exclude: ["__Snapshots__", "Mutants/volatile-values.json"]),
    .testTarget(
      name: "TrackingCommandTests",
      dependencies: [
        "TrackingCommand", "TrackerDouble", "TrackingChecks", "TrackingRules", "TrackingPlan", "TrackingModel",
        "TrackingJSON", "TrackingServer", "TrackingSockets", "TrackingVerifier", "StubReplay", "StubRecording",
        "VendorFormats", "TestAppLauncher", "TestSupport", "tracking-main",
      ], path: "Tests/Command/TrackingCommandTests",
      // Generates the types of OddNames.
      plugins: ["TrackingPlanGenerator"]),
    .testTarget(
      name: "TrackingSocketsTests", dependencies: ["TrackingSockets", "TrackingModel", "TestSupport"],
      path: "Tests/Support/TrackingSocketsTests"),
    .testTarget(
      name: "TrackerDoubleTests",
      dependencies: ["TrackerDouble", "TrackingLaunch", "TrackingModel", "TrackingSockets", "TestSupport"]),
    .testTarget(
      name: "TrackingServerTests",
      dependencies: [
        "TrackingServer", "TrackingInspector", "VendorFormats", "TrackingModel", "TrackingJSON", "TrackingSockets",
        "StubModel", "TrackerDouble", "TestSupport",
      ]),
    .testTarget(
      name: "TrackingInspectorTests",
      dependencies: [
        "TrackingRules", "TrackingInspector", "TrackingAudit", "TrackingVerifier", "TrackingServer", "TrackingModel",
        "TrackingSockets", "StubModel", "TestSupport",
      ], path: "Tests/Extras/TrackingInspectorTests"),
    // The checks without a verifier: what drives one is tested with it.
    .testTarget(
      name: "TrackingChecksTests",
      dependencies: [
        "TrackingChecks", "TrackingRules", "TrackingServer", "TrackingPatterns", "TrackingModel", "TrackingJSON",
        "TrackingSockets", "StubModel", "TestSupport",
      ]),
    .testTarget(
      name: "TrackingVerifierTests",
      dependencies: [
        "TrackingRules",
        "TrackingVerifier", "TrackingChecks", "TrackingCommand", "TrackingInspector",
        "TrackingServer",
        "TrackingVendors", "TrackingPatterns", "TrackingModel", "TrackingJSON", "TrackerDouble", "TrackingSockets",
        "TrackingLaunch", "StubModel", "AppProbe", "TestSupport",
      ]),
    .testTarget(
      name: "TrackingTestingTests",
      dependencies: [
        "TrackingRules", "TrackingTesting", "TrackingAudit", "TrackingInspector", "TrackingPlan", "TrackingVerifier",
        "TrackingModel", "TrackerDouble", "TrackingSockets", "TestSupport",
      ]),
    .testTarget(
      name: "TrackingVendorsTests",
      dependencies: [
        "TrackingVendors", "VendorFormats", "TrackingServer", "TrackingVerifier", "TrackingModel", "TrackingSockets",
        "StubModel", "TestSupport",
      ], path: "Tests/Extras/TrackingVendorsTests"),
    .testTarget(
      name: "StubRecordingTests",
      dependencies: [
        "StubRecording", "StubReplay", "StubbedSession", "TrackingVerifier", "TrackingServer", "StubModel",
        "TrackingJSON", "TrackingModel", "TrackingSecrets", "TrackingSockets", "TestSupport",
      ], path: "Tests/Stubs/StubRecordingTests",
      exclude: ["Support/Backend.py", "Support/OddBackend.py", "Support/SecretBackend.py", "Support/SixBackends.py"]),
    // Compiled as users' code is: in an older language mode, and with the visibility that newer projects have. It sees what is `package`, because
    // without package access an incremental build doesn't compile it again when a stored property changes, and it crashes.
    .testTarget(
      name: "UserCodeTests", dependencies: ["TrackingVerifier", "TrackingVendors", "TrackerDouble", "CommonNames"],
      swiftSettings: [.swiftLanguageMode(.v5), .enableUpcomingFeature("MemberImportVisibility")]),
    // An app's module with types of common names, beside which a test must be able to name its own and ours.
    .target(name: "CommonNames", path: "Tests/CommonNames"),
    // The helpers that the tests of several modules use.
    .target(
      name: "TestSupport",
      dependencies: [
        "StubModel", "TestAppLauncher", "TrackingChecks", "TrackingModel", "TrackingSockets", "TrackingVerifier",
      ],
      path: "Tests/TestSupport"),
    // A real second process for the end-to-end tests; what it links is what an app links.
    .executableTarget(
      name: "AppProbe",
      dependencies: ["StubModel", "StubbedSession", "TrackerDouble", "TrackingLaunch", "TrackingModel"],
      path: "Tests/AppProbe"),
    // Runs the public suite of JSON Schema for Scripts/json-schema-suite.
    .executableTarget(
      name: "SchemaSuite", dependencies: ["TrackingPlan", "TrackingJSON", "TrackingModel"], path: "Tests/SchemaSuite"),
    // A server as a second process, for the scripts that load it and look at what it takes of the system.
    .executableTarget(
      name: "ServerProbe",
      dependencies: ["TrackingServer", "TrackingChecks", "TrackingInspector", "TrackingModel", "StubModel"],
      path: "Tests/ServerProbe"),
    // Counts allocations and system calls for Scripts/check costs.
    .executableTarget(
      name: "CostProbe",
      dependencies: ["TrackingVerifier", "TrackingServer", "TrackingPlan", "TrackingModel", "TestSupport"],
      path: "Tests/CostProbe"),
  ]
)

for target in package.targets where target.swiftSettings == nil && target.type != .plugin {
  target.swiftSettings = [.enableUpcomingFeature("ExistentialAny")]
}
