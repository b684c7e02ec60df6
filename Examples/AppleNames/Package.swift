// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import PackageDescription

// The only place that tells Linux from Apple's systems, on which the system's own frameworks are used.
let package = Package(
    name: "capture-app",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "obscura", path: "../..")],
    targets: [
        .executableTarget(
            name: "CaptureApp",
            dependencies: ["AVFoundation", "Photos"].map {
                .product(name: $0, package: "obscura", condition: .when(platforms: [.linux]))
            })
    ],
    swiftLanguageModes: [.v6]
)
