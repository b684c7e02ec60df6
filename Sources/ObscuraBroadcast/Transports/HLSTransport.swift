// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc
internal import ObscuraBase
internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// An HLS destination in a folder.
///
/// After an interruption (folder deleted, disk full) segment numbers and times continue: players ignore a playlist with
/// smaller numbers, and samples whose times begin at 0 again.
final class HLSTransport: BroadcastTransport {
    /// The state of a broadcast's folder across reconnections. Used by one thread at a time.
    final class Progress: Sendable {
        fileprivate struct State {
            /// The time of the first packet of the broadcast.
            var begin: MediaTime?
            /// The segment numbers of each connection whose files may still exist. An upper bound: some numbers may be
            /// unused.
            var openings: [Range<Int>] = []
            /// The time of the first packet of this connection.
            var openingBegin: MediaTime?
        }

        fileprivate let state = Lock(State())
    }

    /// Number of segments that FFmpeg keeps after they left the playlist.
    static let deleteThreshold = 3

    private let files: HLSPath
    private let settings: BroadcastSettings
    private let progress: Progress
    private let transport: AddressTransport

    init(
        _ target: BroadcastTarget, _ files: HLSPath, _ streams: EncodedStreams, settings: BroadcastSettings,
        control: ReadControl, progress: Progress
    ) throws(ObscuraError) {
        self.files = files
        self.settings = settings
        self.progress = progress
        // Failed attempts have written no segment.
        let (begin, openings) = progress.state.withLock { ($0.begin, $0.openings.filter { !$0.isEmpty }) }
        let first = openings.last?.upperBound ?? 0
        // Segments of the last connection are in the playlist until it is replaced; older ones are not. Without this,
        // they would fill a disk that is full repeatedly.
        Self.removeSegments(of: openings.dropLast(), files)
        Self.removeSegments(of: openings.suffix(1), files, onlyDrafts: true)
        progress.state.withLock { state in
            state.openings = openings.suffix(1) + [first..<first]
            state.openingBegin = nil
        }
        transport = try AddressTransport(
            target, .hls(files, firstNumber: first, settings: settings), streams, begin: begin, settings: settings,
            control: control)
    }

    func send(_ packet: EncodedPacket) throws(ObscuraError) {
        progress.state.withLock { state in
            state.begin = state.begin ?? packet.time
            let begin = state.openingBegin ?? packet.time
            state.openingBegin = begin
            guard let opening = state.openings.popLast() else { return }
            // The muxer ends the n-th segment after n segment durations, or later. Plus one, because it rounds.
            let count = Int(max(.zero, (packet.time - begin).duration) / settings.segmentDuration) + 2
            state.openings.append(opening.lowerBound..<max(opening.upperBound, opening.lowerBound + count))
        }
        try transport.send(packet)
    }

    func finish() throws(ObscuraError) {
        try transport.finish()
        Self.removeSegments(of: progress.state.withLock { $0.openings.dropLast() }, files)
    }

    var path: NetworkPath? { nil }

    /// Removes the segments of these connections that FFmpeg has not deleted itself.
    ///
    /// - Parameter onlyDrafts: whether complete segments stay.
    private static func removeSegments(of openings: ArraySlice<Range<Int>>, _ files: HLSPath, onlyDrafts: Bool = false)
    {
        guard !openings.isEmpty else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: files.folder)) ?? []
        for name in names {
            guard let segment = files.segment(name), segment.isDraft || !onlyDrafts,
                openings.contains(where: { $0.contains(segment.number) })
            else { continue }
            unlink(files.folder + name)
        }
    }
}
