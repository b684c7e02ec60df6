// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraLibrary

/// Measures a library; for Benchmarks/library.
///
///     LibraryPages pages FOLDER CACHE     times of opening, and of pages of many queries, in milliseconds
///     LibraryPages import FOLDER CACHE SOURCE     the time of an import, in seconds, and the peak memory in MiB
@main
struct LibraryPages {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4 else { exit(64) }
        var options = MediaLibrary.Options()
        options.cacheFolder = arguments[3]
        let clock = ContinuousClock()
        if arguments[1] == "import" {
            let library = try await MediaLibrary(path: arguments[2], options: options)
            let start = clock.now
            let report = try await library.importFiles([arguments[4]])
            let time = start.duration(to: clock.now)
            print("imported", report.imported.count, seconds(time), peakMemory())
            return
        }
        var opening: [Double] = []
        for _ in 0..<20 {
            let start = clock.now
            let library = try await MediaLibrary(path: arguments[2], options: options)
            opening.append(seconds(start.duration(to: clock.now)) * 1000)
            withExtendedLifetime(library) {}
        }
        report("open", opening)
        let library = try await MediaLibrary(path: arguments[2], options: options)
        print("items", try await library.count())
        for (name, query) in queries() {
            var times: [Double] = []
            var count = 0
            for _ in 0..<15 {
                let start = clock.now
                let page = try await library.items(matching: query, limit: 60)
                times.append(seconds(start.duration(to: clock.now)) * 1000)
                count = page.items.count
            }
            report("\(name) (\(count))", times)
        }
    }

    /// Conditions and orders as those of a photo app. The items are those of Benchmarks/library.
    private static func queries() -> [(String, LibraryQuery)] {
        func query(_ change: (inout LibraryQuery) -> Void) -> LibraryQuery {
            var query = LibraryQuery()
            change(&query)
            return query
        }
        let day: Int64 = 86_400_000_000_000
        let place = try? GeographicLocation(latitude: 48.2, longitude: 11.5)
        return [
            ("all, newest first", query { _ in }),
            ("photos, oldest first", query { ($0.kind, $0.order) = (.photo, .oldestFirst) }),
            ("movies, longest first", query { ($0.kind, $0.order) = (.movie, .longestFirst) }),
            ("favorites, newest first", query { $0.isFavorite = true }),
            (
                "photos of a month, by path",
                query {
                    ($0.kind, $0.order) = (.photo, .path)
                    $0.from = WallTime(nanosecondsSince1970: 15_000 * day)
                    $0.until = WallTime(nanosecondsSince1970: 15_030 * day)
                }
            ),
            ("a camera, newest first", query { $0.camera = "Acme 7" }),
            ("a rare word, newest first", query { $0.text = "word77" }),
            ("a frequent word, newest first", query { $0.text = "holiday" }),
            ("two words, newest first", query { $0.text = "holiday word7" }),
            ("a keyword, largest first", query { ($0.keywords, $0.order) = (["key12"], .largestFirst) }),
            ("5 km around a place, newest first", query { $0.area = place.map { .circle(center: $0, radius: 5000) } }),
            ("a box of 1 degree, newest first", query { $0.area = .box(south: 48, west: 11, north: 49, east: 12) }),
            ("a folder, by path", query { ($0.folder, $0.order) = ("2011/07", .path) }),
            ("1 to 2 MB, largest first", query { ($0.fileSize, $0.order) = (1_000_000...2_000_000, .largestFirst) }),
        ]
    }

    private static func report(_ name: String, _ times: [Double]) {
        let sorted = times.sorted()
        print("time\t\(name)\t\(sorted[sorted.count / 2])\t\(sorted[sorted.count - 1])")
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    /// The peak of the resident memory, in MiB.
    private static func peakMemory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) / 1024
    }
}
