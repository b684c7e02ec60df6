// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Glibc
internal import Obscura
internal import ObscuraBase

/// The output folder of a picker, and a hidden workspace in it, so that files get their final names without being
/// copied.
struct PickerFolder: Sendable {
    private static let prefix = ".obscura-picker-"

    /// The path of the workspace.
    var workspace: String { place.path }
    /// The workspace, which is locked (flock(2)) while this process uses it.
    private let place: OpenFolder
    private let output: OpenFolder
    private struct State {
        /// The names of the files in the output folder.
        var published: [String] = []
        var isClosed = false
    }

    private let state = Lock(State())
    /// The output folder and the folders above it that did not exist before, innermost first.
    private let created: [String]

    /// Creates the workspace, and the output folder if it is missing. Blocks.
    ///
    /// - Parameter path: the output folder; nil for a new folder in the system's folder for temporary files.
    init(_ path: String?) throws(ObscuraError) {
        // Absolute, since the program may change its folder while the page is open.
        let target =
            path.map { URL(filePath: $0).path }
            ?? FileManager.default.temporaryDirectory.appending(path: "obscura-picked-\(UUID().uuidString)").path
        if let kind = try? FileStatus(path: target).kind, kind != .folder {
            throw ObscuraError(
                .studio, .unusableFolder, subject: target, reason: "it is a file, not a folder",
                advice: "Choose another output folder.")
        }
        created = Self.missingFolders(of: target)
        try OutputFile.makeFolder(target, permissions: path == nil ? 0o700 : 0o777)
        (output, place) = try ObscuraError.writing(target, domain: .studio) { () throws(SystemError) in
            let output = try OpenFolder(path: target)
            // Until the new workspace is locked: another process could take it for a leftover.
            let guardian = try OpenFolder(path: target)
            try? guardian.file.lock(waits: true)
            defer { withExtendedLifetime(guardian) {} }
            Self.removeLeftovers(in: output)
            let place = try output.makeSubfolder("\(Self.prefix)\(UUID().uuidString)")
            try? place.file.lock()
            return (output, place)
        }
    }

    /// Moves files of the workspace to the output folder: all of them or none. Each gets the first unused one of NAME,
    /// NAME-2 and so on. Blocks.
    ///
    /// - Returns: their paths.
    func publish(_ files: [(file: String, name: String)]) throws -> [String] {
        try state.withLock { state in
            guard !state.isClosed else {
                throw ObscuraError(
                    .studio, .wrongState, subject: "selection",
                    reason: "it was not returned, because the program has closed the media picker")
            }
            var published: [(file: String, target: String)] = []
            do {
                for (file, name) in files { published.append((file, try publish(file, as: name))) }
            } catch {
                for (file, target) in published { try? output.move(target, to: place, as: file) }
                throw error
            }
            state.published = published.map(\.target)
            return published.map { "\(output.path)/\($0.target)" }
        }
    }

    private func publish(_ file: String, as name: String) throws -> String {
        let wanted = try MediaName(name)
        for number in 1...10_000 {
            let target = number == 1 ? name : "\(wanted.stem)-\(number).\(wanted.ending)"
            do {
                try place.move(file, to: output, as: target)
                return target
            } catch {
                guard error.number == EEXIST else { throw ObscuraError(error, name) }
            }
        }
        throw ObscuraError(
            .studio, .tooMuch, subject: name,
            reason: "the output folder already has 10000 files with this name and a number",
            advice: "Choose another output folder.")
    }

    /// Deletes the published files, which the program will not get, and rejects to publish others. Blocks.
    func withdraw() {
        state.withLock { state in
            state.isClosed = true
            for name in state.published { try? output.remove(name) }
        }
    }

    /// Removes the workspaces of killed processes.
    private static func removeLeftovers(in output: OpenFolder) {
        for name in (try? output.listing().names) ?? [] where name.hasPrefix(prefix) {
            guard let place = try? output.subfolder(name), (try? place.file.lock()) != nil else { continue }
            try? FileManager.default.removeItem(atPath: place.path)
        }
    }

    /// Removes the workspace, and new folders that are empty. Blocks.
    func clean() {
        try? FileManager.default.removeItem(atPath: workspace)
        // Fails if the folder contains files.
        for path in created { rmdir(path) }
    }

    /// Returns a path and those above it that do not exist, innermost first.
    private static func missingFolders(of path: String) -> [String] {
        var missing: [String] = []
        var path = path
        while !path.isEmpty, path != "/", path != ".", !FileStatus.exists(path) {
            missing.append(path)
            path = PathParts(path).folder
        }
        return missing
    }
}
