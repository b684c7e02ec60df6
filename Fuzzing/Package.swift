// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import PackageDescription

// Coverage-guided fuzzers. scripts/fuzz builds them, with compiler flags that SwiftPM does not allow in a manifest.
let package = Package(
    name: "fuzzing",
    dependencies: [
        .package(name: "obscura", path: ".."), .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .target(name: "CLibFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CLibFuzzer", .product(name: "Obscura", package: "obscura"),
                .product(name: "ObscuraHLS", package: "obscura"), .product(name: "ObscuraStudio", package: "obscura"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
