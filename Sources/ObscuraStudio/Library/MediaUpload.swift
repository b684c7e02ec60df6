// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

extension MediaFolder {
    private static let mostUploads = 8

    /// Starts an upload from a page.
    ///
    /// - Parameters:
    ///   - name: the name that the page proposes; ``MediaUpload/finish()`` determines the final one.
    ///   - maximum: maximum size, in bytes.
    /// - Throws: ``ObscuraError/Code/tooMuch`` if too many uploads are in progress.
    nonisolated(nonsending) func store(name: String, maximum: Int64) async throws -> MediaUpload {
        let isTaken = uploads.withLock { uploads in
            guard uploads < Self.mostUploads else { return false }
            uploads += 1
            return true
        }
        guard isTaken else {
            throw ObscuraError(
                .studio, .tooMuch, subject: "upload", reason: "\(Self.mostUploads) other uploads are in progress",
                advice: "Try again when an upload is done.")
        }
        do {
            let draft = try await run(about: "upload") { [self] in try directory.makeDraft() }
            return MediaUpload(self, draft, name: name, maximum: maximum)
        } catch {
            uploads.withLock { $0 -= 1 }
            throw error
        }
    }
}

/// An upload from a page, written in parts: hidden until it is complete and verified to be a photo or movie.
///
/// The file is deleted after a failure, by ``abort()``, and when this object is deinitialized first. Calls must not
/// overlap.
final class MediaUpload: Sendable {
    private struct State {
        var draft: DraftFile?
        var byteCount: Int64 = 0
    }

    private let folder: MediaFolder
    private let wantedName: UploadName
    private let maximum: Int64
    private let state: Lock<State>

    fileprivate init(_ folder: MediaFolder, _ draft: DraftFile, name: String, maximum: Int64) {
        self.folder = folder
        self.maximum = maximum
        wantedName = UploadName(name)
        state = Lock(State(draft: draft))
    }

    /// Deletes the file of an upload that was neither finished nor aborted.
    deinit {
        if let draft = take() { folder.discard(draft) }
    }

    /// Appends bytes to the file.
    ///
    /// - Throws: ``ObscuraError/Code/tooMuch`` beyond the limit, ``ObscuraError/Code/diskFull``. The upload then has
    ///   ended.
    nonisolated(nonsending) func write(_ bytes: [UInt8]) async throws {
        do {
            let (draft, byteCount) = try current(adding: bytes.count)
            guard byteCount <= maximum else {
                throw ObscuraError(
                    .studio, .tooMuch, subject: wantedName.text, reason: "it is larger than \(maximum) bytes",
                    advice: "Copy the file into the folder of the library.")
            }
            try await folder.run(about: wantedName.text) { [folder, subject = wantedName.text] in
                try folder.directory.append(bytes, to: draft, for: subject)
            }
        } catch {
            await abort()
            throw error
        }
    }

    /// Appends the contents of a file.
    nonisolated(nonsending) func write(_ file: MediaFile) async throws {
        var offset: Int64 = 0
        while offset < file.size {
            let bytes = try await folder.run(about: wantedName.text) { [offset] in
                try file.read(at: offset, count: 1 << 20)
            }
            guard !bytes.isEmpty else { break }
            try await write(bytes)
            offset += Int64(bytes.count)
        }
    }

    /// Verifies the content, and renames the file to a sanitized form of the proposed name, with the extension of its
    /// actual type, and a number if the name is in use.
    ///
    /// - Throws: ``ObscuraError/Code/invalidRequest`` if it is neither a photo nor a movie. The upload then has ended.
    nonisolated(nonsending) func finish() async throws -> MediaItem {
        do {
            let (draft, _) = try current(adding: 0)
            let item = try await folder.run(about: wantedName.text) { [folder, wantedName] in
                let type = try Self.type(of: try folder.directory.open(draft, for: wantedName.text), wantedName)
                let name = try folder.publish(draft, stem: wantedName.stem, ending: wantedName.ending(for: type))
                return try folder.describe(name)
            }
            await abort()
            return item
        } catch {
            await abort()
            throw error
        }
    }

    /// Deletes the partial file. Has no effect after the end.
    nonisolated(nonsending) func abort() async {
        guard let draft = take() else { return }
        try? await folder.run(about: wantedName.text) { draft.discard() }
    }

    private func take() -> DraftFile? {
        let draft = state.withLock { state in
            defer { state.draft = nil }
            return state.draft
        }
        if draft != nil { folder.uploads.withLock { $0 -= 1 } }
        return draft
    }

    private func current(adding count: Int) throws(ObscuraError) -> (DraftFile, Int64) {
        let found = state.withLock { state -> (DraftFile, Int64)? in
            state.byteCount += Int64(count)
            return state.draft.map { ($0, state.byteCount) }
        }
        guard let found else {
            throw ObscuraError(
                .studio, .wrongState, subject: wantedName.text,
                reason: "the upload was ended before the file was complete",
                advice: "Send the file again.")
        }
        return found
    }

    /// Returns the type of the content, regardless of the name.
    private static func type(of file: MediaFile, _ name: UploadName) throws(ObscuraError) -> MediaFileType {
        do {
            switch try MediaReading(file) {
            case .still(let info): return info.kind == .jpeg ? .jpeg : .png
            case .movie(let contents):
                // It must have a video stream that can be decoded here.
                _ = try withExtendedLifetime(file) { try MovieInfo.read(file.path, options: MediaReading.movieOptions) }
                return contents.type ?? .mp4
            }
        } catch let error as ObscuraError where error.code == .libraryMissing {
            throw error
        } catch {
            throw ObscuraError(
                .studio, .invalidRequest, subject: name.text,
                reason: "it is neither a photo nor a movie that can be read",
                advice: "Send a JPEG, a PNG, or a movie in MP4, QuickTime, Matroska or WebM.")
        }
    }
}
