// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import PackageDescription

let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "obscura", path: "..")],
    targets: [
        .executableTarget(name: "ExtractBGRA", dependencies: [.product(name: "Obscura", package: "obscura")]),
        .executableTarget(name: "RecordRaw", dependencies: [.product(name: "Obscura", package: "obscura")]),
        .executableTarget(
            name: "RecordBusy",
            dependencies: [
                .product(name: "Obscura", package: "obscura"), .product(name: "ObscuraDrivers", package: "obscura"),
            ]),
        .executableTarget(name: "EffectRates", dependencies: [.product(name: "Obscura", package: "obscura")]),
        .executableTarget(
            name: "LibraryPages",
            dependencies: [
                .product(name: "Obscura", package: "obscura"), .product(name: "ObscuraLibrary", package: "obscura"),
            ]),
        .executableTarget(
            name: "AppleFrames",
            dependencies: [
                .product(name: "Obscura", package: "obscura"), .product(name: "AVFoundation", package: "obscura"),
            ]),
        .executableTarget(name: "CameraFrames", dependencies: [.product(name: "Obscura", package: "obscura")]),
    ]
        + ["FacesLive", "FindFaces"].map {
            .executableTarget(
                name: $0,
                dependencies: [
                    .product(name: "Obscura", package: "obscura"), .product(name: "ObscuraOpenCV", package: "obscura"),
                ])
        },
    swiftLanguageModes: [.v6]
)
