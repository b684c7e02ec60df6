// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import HTTPTypes
package import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes
package import ObscuraMedia

/// The files of a page, all read when the server starts, so that no file is opened by a name from an HTTP request.
package struct PageResources: Sendable {
    private struct File: Sendable {
        let bytes: ByteBuffer
        let contentType: String
        let entityTag: String
    }

    /// Maximum total size, in bytes.
    private static let mostBytes = 16 << 20
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "webmanifest": "application/manifest+json", "woff2": "font/woff2", "wav": "audio/wav",
        "txt":
            "text/plain; charset=utf-8",
    ]

    /// The files by their paths relative to the folder.
    private let files: [String: File]

    /// - Parameters:
    ///   - bundle: name of the resource folder that the build creates for a target.
    ///   - share: name of the folder in `share/obscura` of the installation prefix.
    ///   - folder: path of the files; nil searches next to the program, then in `share/obscura`.
    ///   - prefixes: the subfolders to read, such as "" and "assets/".
    package init(
        bundle: String, share: String, folder: String? = nil, below prefixes: [String]
    ) throws(ObscuraError) {
        let candidates = folder.map { [$0] } ?? Self.candidates(bundle: bundle, share: share)
        guard let folder = candidates.first(where: { FileManager.default.fileExists(atPath: $0 + "/index.html") })
        else {
            throw ObscuraError(
                .server, .missingResources, subject: "the page",
                reason: "its files are in none of the folders \(candidates.joined(separator: ", "))",
                advice: "Copy the folder \(bundle) to the folder of the program.")
        }
        do {
            files = try Self.read(folder, prefixes)
        } catch {
            throw ObscuraError(
                .server, .missingResources, subject: folder,
                reason: "its files cannot be read, or are larger than 16 MiB in total",
                advice: "Install or build Obscura again.")
        }
    }

    /// The names of the files, such as "index.html" and "assets/style.css".
    package var names: [String] { files.keys.sorted() }

    /// Returns a response with the file of this name.
    package func answer(_ name: String, _ request: Request) throws -> Response {
        guard let file = files[name] else { throw RequestFailure.noSuchAddress }
        let headers: HTTPFields = [
            .contentType: file.contentType, .eTag: file.entityTag, .cacheControl: "no-cache",
        ]
        if let tags = request.headers[.ifNoneMatch], EntityTag.isNamed(file.entityTag, in: tags) {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }

    /// Does not use `Bundle.module`, which terminates the process if the folder is missing.
    private static func candidates(bundle: String, share: String) -> [String] {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let programs = [link, Bundle.main.executablePath].compactMap(\.self)
        var folders: [String] = []
        for program in programs {
            let home = URL(fileURLWithPath: program).deletingLastPathComponent()
            folders += [
                home.appending(path: "\(bundle)/Resources").path,
                home.deletingLastPathComponent().appending(path: "share/obscura/\(share)").path,
            ]
        }
        return folders.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private struct TooLarge: Error {}

    private static func read(_ folder: String, _ prefixes: [String]) throws -> [String: File] {
        var files: [String: File] = [:]
        var total = 0
        for prefix in prefixes {
            for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(prefix)") {
                let kind = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
                guard !name.hasPrefix("."), let type = types[kind] else { continue }
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(prefix)\(name)")))
                total += bytes.count
                guard total <= mostBytes else { throw TooLarge() }
                files[prefix + name] = File(
                    bytes: ByteBuffer(bytes: bytes), contentType: type, entityTag: EntityTag.of(bytes))
            }
        }
        return files
    }
}
