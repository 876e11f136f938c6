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
    .testTarget(
      name: "StorefrontTests",
      dependencies: [
        // Never imported: so that the app is built before its tests run.
        "storefront",
        "StorefrontEvents",
        "StorefrontKit",
        .product(name: "TrackingModel", package: "TrackingVerifier"),
        .product(name: "TrackingVerifier", package: "TrackingVerifier"),
      ]),
  ]
)
