// swift-tools-version: 6.2

import PackageDescription

// Apart from the other contestants, because it brings some twenty packages and minutes of building: `../run --hummingbird` alone looks here.
let package = Package(
  name: "HummingbirdContestant",
  platforms: [.macOS(.v14)],
  dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1")],
  targets: [
    .executableTarget(
      name: "HummingbirdContestant", dependencies: [.product(name: "Hummingbird", package: "hummingbird")])
  ]
)
