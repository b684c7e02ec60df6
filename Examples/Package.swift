// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import PackageDescription

let package = Package(
    name: "examples",
    dependencies: [.package(name: "obscura", path: "..")],
    targets: ["PrintFrames", "Contact", "TwoCameras", "Recorder"].map {
        .executableTarget(name: $0, dependencies: [.product(name: "Obscura", package: "obscura")])
    },
    swiftLanguageModes: [.v6]
)
