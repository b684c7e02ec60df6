// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import PackageDescription

// Coverage-guided fuzzers. scripts/fuzz builds them, with compiler flags that SwiftPM does not allow in a manifest.
let package = Package(
    name: "fuzzing",
    dependencies: [.package(name: "obscura", path: "..")],
    targets: [
        .target(name: "CLibFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CLibFuzzer", .product(name: "Obscura", package: "obscura"),
                .product(name: "ObscuraHLS", package: "obscura"), .product(name: "ObscuraStudio", package: "obscura"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
