// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import PackageDescription

let package = Package(
    name: "examples",
    dependencies: [.package(name: "obscura", path: "..")],
    targets: ["PrintFrames", "Contact", "TwoCameras", "Recorder", "Animation"].map {
        .executableTarget(name: $0, dependencies: [.product(name: "Obscura", package: "obscura")])
    } + [
        .executableTarget(name: "AdForm", dependencies: [.product(name: "ObscuraStudio", package: "obscura")]),
        .executableTarget(name: "Edges", dependencies: ["CEdges", .product(name: "Obscura", package: "obscura")]),
        // Your own OpenCV code. OpenCV's headers are outside the compiler's search path; `headers` has a link to them.
        .target(
            name: "CEdges", exclude: ["headers"], cxxSettings: [.headerSearchPath("headers")],
            linkerSettings: ["opencv_core", "opencv_imgproc", "stdc++"].map { .linkedLibrary($0) }),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
