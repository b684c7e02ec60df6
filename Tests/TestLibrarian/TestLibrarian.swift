// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraImaging
import ObscuraLibrary
import ObscuraMedia

/// Changes a library until it is killed: `TestLibrarian import|move|edit|trash LIBRARY CACHE [SOURCE]`. Prints a line
/// when the first change is done.
@main
struct TestLibrarian {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4 else { exit(64) }
        var options = MediaLibrary.Options()
        options.cacheFolder = arguments[3]
        options.minimumFreeSpace = 0
        let library = try await MediaLibrary(path: arguments[2], options: options)
        switch arguments[1] {
        case "import":
            let isFirst = Lock(true)
            try await library.importFiles([arguments[4]]) { _ in
                if isFirst.withLock({ first in
                    defer { first = false }; return first
                }) {
                    say("ready")
                }
            }
            exit(0)
        case "move":
            try await repeated(library) { library, path, number in
                let name = path.split(separator: "/").last.map(String.init) ?? path
                _ = try await library.move(path, to: "\(number % 7)/\(number % 3)/\(name)")
            }
        case "edit":
            try await repeated(library) { library, path, number in
                try await library.setRecipe(
                    number % 3 == 0 ? nil : StillRecipe([.rotate(number % 2 == 0 ? .left : .right)]), of: path)
                try await library.setFavorite(number % 2 == 0, for: [path])
                try await library.addKeywords(["k\(number % 5)"], to: [path])
            }
        case "trash":
            try await repeated(library) { library, path, _ in
                let trashed = try await library.trash([path])
                for item in trashed { try await library.restore(item.id) }
            }
        default: exit(64)
        }
    }

    /// Calls `body` for one item after another, for ever.
    private static func repeated(
        _ library: MediaLibrary, _ body: @Sendable (MediaLibrary, String, Int) async throws -> Void
    ) async throws {
        var number = Int.random(in: 0..<1000)
        var isFirst = true
        while true {
            try await library.refresh()
            var query = LibraryQuery()
            query.order = .path
            for item in try await library.items(matching: query, limit: 1000).items {
                number += 1
                try await body(library, item.path, number)
                if isFirst { say("ready") }
                isFirst = false
            }
        }
    }

    private static func say(_ text: String) {
        try? FileDescriptor.standardOutput.write(Array("\(text)\n".utf8))
    }
}
