// swift-tools-version: 6.2

import PackageDescription

// The command `tracking`. A package apart from the root, because it needs libraries that nobody who tests an app should have to fetch.
let package = Package(
  name: "TrackingTools",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "tracking", targets: ["tracking"])],
  dependencies: [
    .package(name: "TrackingVerifier", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
  ],
  targets: [
    .executableTarget(
      name: "tracking",
      dependencies: [
        "PlanSources", "RecordingTools", "RunnerQuestions",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "DeviceRelay", package: "TrackingVerifier"),
        .product(name: "StubRecording", package: "TrackingVerifier"),
        .product(name: "TrackingInspector", package: "TrackingVerifier"),
        .product(name: "TrackingPlan", package: "TrackingVerifier"),
        .product(name: "TrackingPlanKit", package: "TrackingVerifier"),
        .product(name: "TrackingServer", package: "TrackingVerifier"),
        .product(name: "VendorFormats", package: "TrackingVerifier"),
      ]),
    // Plans in YAML and JSON5, and plans of tools that use them, as plans in our own format.
    .target(
      name: "PlanSources",
      dependencies: [
        .product(name: "TrackingPlan", package: "TrackingVerifier"),
        .product(name: "TrackingPlanKit", package: "TrackingVerifier"),
        .product(name: "Yams", package: "Yams"),
      ]),
    // HAR files as recordings.
    .target(name: "RecordingTools", dependencies: [.product(name: "StubRecording", package: "TrackingVerifier")]),
    // Questions of tests in other languages than Swift, over HTTP.
    .target(
      name: "RunnerQuestions",
      dependencies: [
        "RecordingTools", .product(name: "CommandQuestions", package: "TrackingVerifier"),
        .product(name: "StubRecording", package: "TrackingVerifier"),
        .product(name: "TrackingInspector", package: "TrackingVerifier"),
        .product(name: "TrackingModel", package: "TrackingVerifier"),
        .product(name: "TrackingPlan", package: "TrackingVerifier"),
        .product(name: "TrackingPlanKit", package: "TrackingVerifier"),
        .product(name: "TrackingServer", package: "TrackingVerifier"),
      ],
      exclude: ["openapi.json"]),
    .testTarget(
      name: "RecordingToolsTests",
      dependencies: ["RecordingTools", .product(name: "StubRecording", package: "TrackingVerifier")]),
    .testTarget(
      name: "PlanSourcesTests",
      dependencies: [
        "PlanSources", .product(name: "TrackingModel", package: "TrackingVerifier"),
        .product(name: "TrackingPlan", package: "TrackingVerifier"),
        .product(name: "TrackingPlanKit", package: "TrackingVerifier"),
      ]),
    .testTarget(
      name: "TrackingToolTests",
      dependencies: [
        "tracking", "RunnerQuestions", .product(name: "TestAppLauncher", package: "TrackingVerifier"),
        .product(name: "TrackingPlan", package: "TrackingVerifier"),
        .product(name: "TrackingPlanKit", package: "TrackingVerifier"),
        .product(name: "TrackingServer", package: "TrackingVerifier"),
        .product(name: "TrackingVerifier", package: "TrackingVerifier"),
      ]),
  ]
)

for target in package.targets {
  target.swiftSettings = [.enableUpcomingFeature("ExistentialAny")]
}
