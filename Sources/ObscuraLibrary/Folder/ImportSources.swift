// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The files to import: those that are named, and the photos and movies in named folders.
struct ImportSources {
    private(set) var files: [String] = []
    private(set) var failures: [ImportReport.Failure] = []
    /// Files in folders that are neither photos nor movies.
    private(set) var skipped: [String] = []
    private let library: FileStatus?

    init(except library: LibraryFolder) {
        self.library = try? FileStatus(of: library.root.file)
    }

    mutating func add(_ paths: [String]) {
        for path in paths {
            do throws(SystemError) {
                switch try FileStatus(path: path).kind {
                case .folder: try addFolder(path)
                default: try addFile(path)
                }
            } catch {
                fail(path, ObscuraError(error, reading: path, domain: .library))
            }
        }
    }

    /// Adds a named file; for a link, its target.
    private mutating func addFile(_ path: String) throws(SystemError) {
        guard try FileStatus(path: path, followsLinks: false).kind == .link else { return files.append(path) }
        // Non-blocking, since a pipe without a writer would block.
        files.append(try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK).location ?? path)
    }

    private mutating func addFolder(_ path: String) throws(SystemError) {
        var pending = [try OpenFolder(path: path).path]
        while let path = pending.popLast() {
            let folder: OpenFolder
            do {
                folder = try OpenFolder(path: path)
            } catch {
                fail(path, ObscuraError(error, reading: path, domain: .library))
                continue
            }
            if let library, let own = try? FileStatus(of: folder.file), own.isOfSameFile(as: library) {
                fail(
                    folder.path,
                    ObscuraError(
                        .library, .invalidRequest, subject: folder.path, reason: "it is the library itself",
                        advice: "Refresh the library: files in its folder belong to it already."))
                continue
            }
            let listing: OpenFolder.Listing
            do {
                listing = try folder.listing()
            } catch {
                fail(folder.path, ObscuraError(error, reading: folder.path, domain: .library))
                continue
            }
            for name in listing.invalidNames {
                let path = "\(folder.path)/\(name)"
                fail(
                    path,
                    ObscuraError(
                        .library, .invalidPath, subject: path, reason: "its name is not valid UTF-8",
                        advice: "Rename the file."))
            }
            for name in listing.names.sorted() where name.utf8.first != UInt8(ascii: ".") {
                let path = "\(folder.path)/\(name)"
                do {
                    switch try FileStatus(path: name, in: folder.file, followsLinks: false).kind {
                    case .folder: pending.append(path)
                    case .regular where LibraryPath(name: name, in: "")?.type != nil: files.append(path)
                    case .regular where Sidecar.owner(of: name) != nil: continue
                    case .regular, .link, .pipe, .special: skipped.append(path)
                    }
                } catch {
                    fail(path, ObscuraError(error, reading: path, domain: .library))
                }
            }
        }
    }

    private mutating func fail(_ path: String, _ error: ObscuraError) {
        failures.append(ImportReport.Failure(source: path, error: error))
    }
}
