// swift-tools-version: 6.2

import PackageDescription

// With STOREFRONT_INSPECTOR=1 the tests have the inspector: a live page, and a report of each failure.
let inspector: [Target.Dependency] =
  Context.environment["STOREFRONT_INSPECTOR"] == nil
  ? [] : [.product(name: "TrackingInspector", package: "TrackingVerifier")]

let package = Package(
  name: "Storefront",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    // For the iOS app in Samples/StorefrontApp.
    .library(name: "StorefrontEvents", targets: ["StorefrontEvents"]),
    .library(name: "StorefrontKit", targets: ["StorefrontKit"]),
    .library(name: "StorefrontScenarios", targets: ["StorefrontScenarios"]),
  ],
  dependencies: [
    // By name, so that a clone in a folder of any name resolves.
    .package(name: "TrackingVerifier", path: "../..")
  ],
  targets: [
    .target(
      name: "StorefrontEvents",
      dependencies: [.product(name: "TrackingModel", package: "TrackingVerifier")],
      // The events are written from tracking-plan.json while the target is built.
      plugins: [.plugin(name: "TrackingPlanGenerator", package: "TrackingVerifier")]),
    .target(
      name: "StorefrontKit",
      dependencies: ["StorefrontEvents", .product(name: "TrackingModel", package: "TrackingVerifier")],
      // Models load on the actor of the screen that asks them to.
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    // The backend's responses, shared by the app and its tests.
    .target(
      name: "StorefrontScenarios",
      dependencies: [.product(name: "StubModel", package: "TrackingVerifier")],
      resources: [.copy("Stubs")]),
    .executableTarget(
      name: "storefront",
      dependencies: [
        "StorefrontEvents", "StorefrontKit", "StorefrontScenarios",
        .product(name: "StubbedSession", package: "TrackingVerifier"),
        .product(name: "TrackerDouble", package: "TrackingVerifier"),
        .product(name: "TrackingModel", package: "TrackingVerifier"),
      ]),
    // Drives the app for the tests below.
    .target(
      name: "StorefrontDriver",
      dependencies: [
        // Never imported: so that the app is built before its tests run.
        "storefront",
        .product(name: "TestAppLauncher", package: "TrackingVerifier"),
        .product(name: "TrackingVerifier", package: "TrackingVerifier"),
      ],
      path: "Tests/StorefrontDriver"),
    .testTarget(
      name: "StorefrontTests",
      dependencies: [
        "StorefrontDriver", "StorefrontEvents", "StorefrontKit", "StorefrontScenarios",
        .product(name: "StubRecording", package: "TrackingVerifier"),
        .product(name: "StubbedSession", package: "TrackingVerifier"),
        .product(name: "TrackingModel", package: "TrackingVerifier"),
        .product(name: "TrackingVendors", package: "TrackingVerifier"),
        .product(name: "TrackingVerifier", package: "TrackingVerifier"),
        .product(name: "TrackingAudit", package: "TrackingVerifier"),
        // Never imported: so that TRACKING_PLAN and TRACKING_OBSERVATIONS work.
        .product(name: "TrackingPlan", package: "TrackingVerifier"),
      ] + inspector,
      // With the recorded flows, which tests read where their sources are absent.
      resources: [.copy("Stubs"), .copy("__Snapshots__")]),
    .testTarget(
      name: "StorefrontSwiftTests",
      dependencies: [
        "StorefrontDriver", "StorefrontEvents", "StorefrontKit", "StorefrontScenarios",
        .product(name: "StubbedSession", package: "TrackingVerifier"),
        .product(name: "TrackingModel", package: "TrackingVerifier"),
        .product(name: "TrackingTesting", package: "TrackingVerifier"),
        .product(name: "TrackingAudit", package: "TrackingVerifier"),
        .product(name: "TrackingPlan", package: "TrackingVerifier"),
      ] + inspector,
      resources: [.copy("__Snapshots__")]),
  ]
)
