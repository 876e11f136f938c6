// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Storefront",
  platforms: [.macOS(.v13)],
  dependencies: [
    // By name, so that a clone in a folder of any name resolves.
    .package(name: "TrackingVerifier", path: "../..")
  ],
  targets: [
    .target(
      name: "StorefrontEvents",
      dependencies: [.product(name: "TrackingModel", package: "TrackingVerifier")]),
    .target(
      name: "StorefrontKit",
      dependencies: ["StorefrontEvents", .product(name: "TrackingModel", package: "TrackingVerifier")]),
    .executableTarget(
      name: "storefront",
      dependencies: ["StorefrontKit", .product(name: "TrackerDouble", package: "TrackingVerifier")]),
    // Drives the app for the tests below.
    .target(
      name: "StorefrontDriver",
      dependencies: [
        // Never imported: so that the app is built before its tests run.
        "storefront",
        .product(name: "TrackingVerifier", package: "TrackingVerifier"),
      ],
      path: "Tests/StorefrontDriver"),
    .testTarget(
      name: "StorefrontTests",
      dependencies: [
        "StorefrontDriver", "StorefrontEvents", "StorefrontKit",
        .product(name: "TrackingModel", package: "TrackingVerifier"),
        .product(name: "TrackingVerifier", package: "TrackingVerifier"),
      ]),
    .testTarget(
      name: "StorefrontSwiftTests",
      dependencies: [
        "StorefrontDriver", "StorefrontEvents", "StorefrontKit",
        .product(name: "TrackingModel", package: "TrackingVerifier"),
        .product(name: "TrackingTesting", package: "TrackingVerifier"),
      ]),
  ]
)
