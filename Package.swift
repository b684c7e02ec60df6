// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import PackageDescription

/// The settings of every Swift target. `InternalImportsByDefault` is a wall: a C type in a public
/// signature is then a compile error.
let policy: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// The tool, and its tests, have what it is built with.
let tool: [SwiftSetting] =
    policy + [
        .define("HLS", .when(traits: ["HLS"])), .define("Library", .when(traits: ["Library"])),
        .define("Studio", .when(traits: ["Studio"])),
    ]

let package = Package(
    name: "obscura",
    products: [
        .library(name: "Obscura", targets: ["Obscura"]),
        .library(name: "ObscuraDrivers", targets: ["ObscuraDrivers"]),
        .library(name: "ObscuraHLS", targets: ["ObscuraHLS"]),
        .library(name: "ObscuraLibrary", targets: ["ObscuraLibrary"]),
        .library(name: "ObscuraMetrics", targets: ["ObscuraMetrics"]),
        .library(name: "ObscuraStudio", targets: ["ObscuraStudio"]),
        // For the detection of faces, and for an RTSP server: no other program needs OpenCV and GStreamer. They are
        // dynamic, so that a program can load them instead of being linked with them.
        .library(name: "ObscuraOpenCV", type: .dynamic, targets: ["COpenCVLibrary"]),
        .library(name: "ObscuraRTSPServer", type: .dynamic, targets: ["CRTSPServerLibrary"]),
        .executable(name: "obscura", targets: ["ObscuraCLI"]),
        // With the names of Apple's modules, so that camera code of iOS compiles on Linux. A package for both systems
        // depends on them with `condition: .when(platforms: [.linux])`.
        .library(name: "AVFoundation", targets: ["AVFoundation"]),
        .library(name: "CoreImage", targets: ["CoreImage"]),
        .library(name: "CoreMedia", targets: ["CoreMedia"]),
        .library(name: "CoreVideo", targets: ["CoreVideo"]),
        .library(name: "Photos", targets: ["Photos"]),
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        .library(name: "Vision", targets: ["Vision"]),
    ],
    traits: [
        .trait(name: "Vision", description: "The library ObscuraOpenCV finds faces; needs OpenCV."),
        .trait(name: "HLS", description: "The tool has `obscura serve --hls` and `--metrics`; needs Hummingbird."),
        .trait(name: "Library", description: "The tool has `obscura library`; needs GRDB and SQLite."),
        .trait(
            name: "Studio", description: "The tool has `obscura studio`; needs Hummingbird.",
            enabledTraits: ["Library"]),
        .trait(
            name: "RTSPServer", description: "The library ObscuraRTSPServer serves RTSP; needs GStreamer's server."),
        .trait(
            name: "PipeWire",
            description: "Cameras and microphones of PipeWire, and the camera permission of the desktop portal."),
        .default(enabledTraits: ["Vision", "HLS", "Library", "Studio", "RTSPServer", "PipeWire"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // `FilePath`, where a path is accepted.
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        // The index of the photo library, in SQLite.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The web server of the Studio, of HLS and of the metrics.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // Downloads of the media picker.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        // The rooms, from the values up to the tool. Each names only what it may see.
        .target(name: "ObscuraBase", swiftSettings: policy),
        .target(name: "ObscuraMedia", dependencies: ["ObscuraBase"], swiftSettings: policy),
        .target(
            name: "ObscuraImaging",
            dependencies: [
                "ObscuraBase", "ObscuraMedia", "CPixelKernels", "CLibYUV", "CTurboJPEG", "CSPNG", "CExif", "CExpat",
                "CFreeType", "CFontconfig",
            ],
            swiftSettings: policy),
        .target(
            name: "ObscuraCapture",
            dependencies: [
                "ObscuraBase", "ObscuraMedia", "ObscuraImaging",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            swiftSettings: policy),
        .target(
            name: "ObscuraDevices",
            dependencies: [
                "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraCapture", "CV4L2", "CALSA", "CPipeWire",
                "CDBus", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: policy),
        .target(
            name: "ObscuraFFmpeg",
            dependencies: ["ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraCapture", "CFFmpeg"],
            swiftSettings: policy),
        .target(
            name: "ObscuraMovies",
            dependencies: [
                "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraCapture", "ObscuraFFmpeg", "CGnuTLS",
            ],
            swiftSettings: policy),
        .target(
            name: "ObscuraBroadcast",
            dependencies: [
                "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraCapture", "ObscuraFFmpeg", "ObscuraMovies",
                "CSRT", "CRTSPServer",
            ],
            swiftSettings: policy),
        .target(
            name: "ObscuraVision",
            dependencies: [
                "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraCapture", "COpenCV",
            ],
            swiftSettings: policy),
        .target(
            name: "ObscuraLibrary",
            dependencies: [
                "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraFFmpeg", "ObscuraMovies",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: policy),
        .target(
            name: "Obscura",
            dependencies: [
                "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraCapture", "ObscuraDevices", "ObscuraMovies",
                "ObscuraBroadcast", "ObscuraVision",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: policy),
        .target(
            name: "ObscuraDrivers",
            dependencies: ["ObscuraCapture", "ObscuraDevices", "ObscuraMovies"],
            swiftSettings: policy),
        // Apple's names. Nothing else imports these targets.
        .target(
            name: "_Testing_CoreImage", path: "Sources/AppleNames/TestingOverlays/CoreImage", swiftSettings: policy),
        .target(name: "_Testing_UIKit", path: "Sources/AppleNames/TestingOverlays/UIKit", swiftSettings: policy),
        .target(
            // `CGImage` and others. Not named CoreGraphics: packages such as GRDB would take it for Apple's.
            name: "AppleGraphics", dependencies: ["Obscura", "ObscuraBase", "ObscuraMedia", "ObscuraImaging"],
            path: "Sources/AppleNames/AppleGraphics", swiftSettings: policy),
        .target(
            name: "CoreVideo", dependencies: ["AppleGraphics", "Obscura", "ObscuraBase", "ObscuraMedia"],
            path: "Sources/AppleNames/CoreVideo", swiftSettings: policy),
        .target(
            name: "CoreMedia", dependencies: ["CoreVideo", "Obscura", "ObscuraBase", "ObscuraMedia"],
            path: "Sources/AppleNames/CoreMedia", swiftSettings: policy),
        .target(
            name: "CoreImage",
            dependencies: [
                "_Testing_CoreImage", "CoreVideo", "Obscura", "ObscuraBase", "ObscuraMedia", "ObscuraImaging",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/AppleNames/CoreImage", swiftSettings: policy),
        .target(
            name: "UIKit",
            dependencies: [
                "_Testing_UIKit", "AppleGraphics", "CoreImage", "Obscura", "ObscuraBase", "ObscuraMedia",
                "ObscuraImaging",
            ],
            path: "Sources/AppleNames/UIKit", swiftSettings: policy),
        .target(
            name: "AVFoundation",
            dependencies: [
                "CoreMedia", "Obscura", "ObscuraDrivers", "ObscuraBase", "ObscuraMedia", "ObscuraCapture",
                "ObscuraMovies", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/AppleNames/AVFoundation", swiftSettings: policy),
        .target(
            name: "UniformTypeIdentifiers", path: "Sources/AppleNames/UniformTypeIdentifiers", swiftSettings: policy),
        .target(
            name: "Photos",
            dependencies: [
                "AppleGraphics", "UIKit", "UniformTypeIdentifiers", "Obscura", "ObscuraBase", "ObscuraMedia",
                "ObscuraImaging", "ObscuraLibrary", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/AppleNames/Photos", swiftSettings: policy),
        .target(
            name: "Vision", dependencies: ["CoreImage", "CoreMedia", "Obscura", "ObscuraBase", "ObscuraMedia"],
            path: "Sources/AppleNames/Vision", swiftSettings: policy),
        .target(
            name: "ObscuraWeb",
            dependencies: [
                "ObscuraBase", "ObscuraMedia",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: policy),
        .target(
            name: "ObscuraHLS",
            dependencies: [
                "ObscuraBase", "ObscuraMedia", "ObscuraBroadcast", "ObscuraWeb",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            resources: [.copy("Resources")],
            swiftSettings: policy),
        .target(
            name: "ObscuraMetrics",
            dependencies: [
                "ObscuraBase", "ObscuraMedia", "ObscuraWeb",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            swiftSettings: policy),
        .target(
            name: "ObscuraStudio",
            dependencies: [
                "ObscuraBase", "ObscuraCapture", "ObscuraMovies", "ObscuraLibrary", "ObscuraWeb", "Obscura",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.copy("Resources")],
            swiftSettings: policy),
        .executableTarget(
            name: "ObscuraCLI",
            dependencies: [
                "ObscuraBase", "Obscura", "ObscuraDrivers",
                .target(name: "ObscuraHLS", condition: .when(traits: ["HLS"])),
                .target(name: "ObscuraMetrics", condition: .when(traits: ["HLS"])),
                .target(name: "ObscuraLibrary", condition: .when(traits: ["Library"])),
                .target(name: "ObscuraStudio", condition: .when(traits: ["Studio"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tool),

        // C, each wrapped once, by the one room that may import it.
        .target(name: "CPixelKernels"),
        // libsystemd is loaded on first use: nothing is linked.
        .target(name: "CDBus", cSettings: [.define("OBSCURA_PIPEWIRE", .when(traits: ["PipeWire"]))]),
        .target(name: "CV4L2"),
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        // Loads libpipewire on first use. The .pc file has a flag of which SwiftPM warns at each build; links in `headers`
        // say where the headers are.
        .target(
            name: "CPipeWire", exclude: ["headers"],
            cSettings: [.headerSearchPath("headers"), .define("OBSCURA_PIPEWIRE", .when(traits: ["PipeWire"]))]),
        .target(name: "CLibYUV", linkerSettings: [.linkedLibrary("yuv")]),
        .systemLibrary(
            name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CSPNG", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
        .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
        .systemLibrary(name: "CFontconfig", pkgConfig: "fontconfig", providers: [.apt(["libfontconfig-dev"])]),
        // Loads FFmpeg on first use. Its headers must be in a folder in which the compiler looks, as Debian's are.
        .target(name: "CFFmpeg"),
        .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
        .systemLibrary(name: "CSRT", pkgConfig: "srt", providers: [.apt(["libsrt-gnutls-dev"])]),
        .systemLibrary(name: "CRTSPServer"),
        // Loaded by ObscuraBroadcast. GLib's .pc files have flags that SwiftPM refuses, each time with a warning of
        // some pages; links in `headers` say where the headers are.
        .target(
            name: "CRTSPServerLibrary", exclude: ["headers"],
            cSettings: [
                .headerSearchPath("../CRTSPServer"), .define("OBSCURA_RTSP_SERVER", .when(traits: ["RTSPServer"])),
            ]
                + ["gstreamer-1.0", "glib-2.0", "glib-x86_64", "glib-aarch64", "glib-lib64"].map {
                    .headerSearchPath("headers/\($0)")
                },
            linkerSettings: [
                "gstrtspserver-1.0", "gstapp-1.0", "gstrtsp-1.0", "gstreamer-1.0", "gio-2.0", "gobject-2.0", "glib-2.0",
            ]
            .map { .linkedLibrary($0, .when(traits: ["RTSPServer"])) }),
        .target(name: "COpenCV"),
        // Loaded by ObscuraVision. Debian's opencv4.pc names sixty libraries, and its headers are where no compiler
        // looks; a link in `headers` says where that is.
        .target(
            name: "COpenCVLibrary", exclude: ["headers"],
            cxxSettings: [
                .headerSearchPath("headers"), .headerSearchPath("../COpenCV"), .headerSearchPath("../COpenCV/include"),
                .define("OBSCURA_VISION", .when(traits: ["Vision"])),
            ],
            linkerSettings: ["opencv_core", "opencv_imgproc", "opencv_objdetect", "opencv_dnn", "stdc++"].map {
                .linkedLibrary($0, .when(traits: ["Vision"]))
            }),

        // What several test targets use. `CExactPictures` judges colours by the formulas alone.
        .target(name: "CExactPictures", path: "Tests/CExactPictures"),
        .target(
            name: "TestSupport", dependencies: ["ObscuraBase", "ObscuraMedia", "ObscuraCapture"],
            path: "Tests/TestSupport",
            swiftSettings: policy),
        // Connections that say byte for byte what a test wants.
        .target(
            name: "TestClient",
            dependencies: [
                "ObscuraBase", "ObscuraMedia",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/TestClient", swiftSettings: policy),
        // Records until the tests kill it.
        .executableTarget(
            name: "TestRecorder", dependencies: ["ObscuraBase", "ObscuraMedia", "ObscuraMovies"],
            path: "Tests/TestRecorder",
            swiftSettings: policy),
        // Asks for permission; for Tests/PipeWire.
        .executableTarget(
            name: "TestPermission", dependencies: ["ObscuraBase", "ObscuraDevices", "Obscura"],
            path: "Tests/TestPermission", swiftSettings: policy),
        // A Studio whose cameras can be unplugged; for Tests/Browser.
        .executableTarget(
            name: "TestStudio",
            dependencies: ["ObscuraBase", "ObscuraMedia", "ObscuraCapture", "Obscura", "ObscuraStudio"],
            path: "Tests/TestStudio", swiftSettings: policy),
        // iOS sources that must compile unchanged, in the language mode of their authors.
        .target(
            name: "AppleListings",
            dependencies: ["AVFoundation", "CoreImage", "CoreMedia", "CoreVideo", "Photos", "UIKit", "Vision"],
            path: "Tests/AppleListings", swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "AppleNamesTests",
            dependencies: [
                "TestSupport", "AppleListings", "AVFoundation", "AppleGraphics", "CoreImage", "CoreMedia", "CoreVideo",
                "Photos", "UIKit", "UniformTypeIdentifiers", "Vision", "Obscura", "ObscuraDrivers", "ObscuraBase",
                "ObscuraMedia", "ObscuraImaging", "ObscuraCapture", "ObscuraMovies", "ObscuraLibrary",
            ],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraBaseTests", dependencies: ["TestSupport", "ObscuraBase"], swiftSettings: policy),
        .testTarget(
            name: "ObscuraMediaTests", dependencies: ["TestSupport", "ObscuraBase", "ObscuraMedia"],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraImagingTests",
            dependencies: ["TestSupport", "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "CPixelKernels", "CSPNG"],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraCaptureTests",
            dependencies: [
                "TestSupport", "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraCapture",
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraDevicesTests",
            dependencies: ["TestSupport", "ObscuraBase", "ObscuraMedia", "ObscuraCapture", "ObscuraDevices"],
            swiftSettings: policy),
        // On real devices of a kernel; see Tests/Lab.
        .testTarget(
            name: "ObscuraLabTests",
            dependencies: [
                "TestSupport", "ObscuraBase", "ObscuraMedia", "ObscuraDevices", "ObscuraMovies", "Obscura",
                "ObscuraDrivers", "ObscuraStudio", "AppleListings", "AVFoundation", "UIKit",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraMoviesTests",
            dependencies: [
                "TestSupport", "TestRecorder", "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraCapture",
                "ObscuraFFmpeg", "ObscuraMovies",
            ],
            swiftSettings: policy),
        // Hours of sound, sample by sample: ./test compiles this target with optimization.
        .testTarget(
            name: "ObscuraSoundTests",
            dependencies: ["TestSupport", "ObscuraMedia", "ObscuraFFmpeg", "ObscuraMovies"],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraBroadcastTests",
            dependencies: [
                "TestSupport", "ObscuraBase", "ObscuraMedia", "ObscuraCapture", "ObscuraFFmpeg", "ObscuraMovies",
                "ObscuraBroadcast",
            ],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraVisionTests",
            dependencies: [
                "TestSupport", "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraCapture", "ObscuraVision",
            ],
            swiftSettings: policy),
        // Changes a library until the tests kill it.
        .executableTarget(
            name: "TestLibrarian", dependencies: ["ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraLibrary"],
            path: "Tests/TestLibrarian", swiftSettings: policy),
        .testTarget(
            name: "ObscuraLibraryTests",
            dependencies: [
                "TestSupport", "TestLibrarian", "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraFFmpeg",
                "ObscuraLibrary",
            ],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraTests",
            dependencies: [
                "TestSupport", "CExactPictures", "ObscuraBase", "ObscuraMedia", "ObscuraMovies", "Obscura",
                "ObscuraDrivers",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraWebTests",
            dependencies: [
                "ObscuraWeb",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraMetricsTests",
            dependencies: [
                "TestSupport", "TestClient", "ObscuraBase", "ObscuraMedia", "ObscuraMetrics",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraHLSTests",
            dependencies: [
                "TestSupport", "TestClient", "ObscuraBase", "ObscuraMedia", "ObscuraBroadcast", "ObscuraWeb",
                "ObscuraHLS",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraStudioTests",
            dependencies: [
                "TestSupport", "TestClient", "TestStudio", "ObscuraBase", "ObscuraMedia", "ObscuraLibrary",
                "ObscuraWeb",
                "Obscura", "ObscuraDrivers", "ObscuraStudio",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: policy),
        .testTarget(
            name: "ObscuraCLITests",
            dependencies: [
                "TestSupport", "ObscuraCLI", "ObscuraBase", "ObscuraMedia", "Obscura", "ObscuraDrivers",
                .target(name: "ObscuraHLS", condition: .when(traits: ["HLS"])),
                .target(name: "ObscuraMetrics", condition: .when(traits: ["HLS"])),
                .target(name: "ObscuraLibrary", condition: .when(traits: ["Library"])),
                .target(name: "ObscuraStudio", condition: .when(traits: ["Studio"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tool),
        // The targets of the fuzzers, each with a few inputs.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "TestSupport", "ObscuraBase", "ObscuraMedia", "ObscuraImaging", "ObscuraDevices", "ObscuraMovies",
                "ObscuraBroadcast", "ObscuraLibrary", "ObscuraWeb", "ObscuraHLS", "ObscuraStudio",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Fuzzing", exclude: ["Package.swift", "Sources/CLibFuzzer", "Sources/Fuzz/Program.swift"],
            sources: ["Sources/Fuzz", "Tests"], swiftSettings: policy),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
