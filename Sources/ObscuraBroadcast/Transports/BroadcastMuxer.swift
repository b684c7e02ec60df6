// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// The packets of a broadcast on their way into a muxer: its streams, and which time becomes 0. One thread at a time.
final class BroadcastMuxer {
    private let muxer: LiveMuxer
    private let streams: EncodedStreams
    private let parameterSets: [UInt8]
    /// The time of the broadcast that becomes 0.
    private var base: MediaTime?

    /// Opens the way and writes the beginning. Waits until the control's deadline.
    ///
    /// - Parameters:
    ///   - begin: the time that becomes 0; nil for the time of the first packet.
    ///   - repeatsParameterSets: whether each key frame brings the parameter sets along, for whoever joins later.
    ///   - failure: makes an error of FFmpeg's code.
    init(
        _ plan: LiveMuxer.Plan, _ streams: EncodedStreams, begin: MediaTime? = nil,
        repeatsParameterSets: Bool = false, control: ReadControl, log: FFmpegLog, failure: (Int32) -> ObscuraError
    ) throws(ObscuraError) {
        self.streams = streams
        base = begin
        parameterSets = repeatsParameterSets ? streams.video?.sets ?? [] : []
        muxer = try LiveMuxer(plan, streams: streams.streams, control: control, log: log, failure: failure)
    }

    /// Writes a packet, unless it is earlier than 0; waits until the control's deadline.
    ///
    /// - Returns: 0, or FFmpeg's code.
    func write(_ packet: EncodedPacket) -> Int32 {
        let begin = base ?? packet.time
        base = begin
        guard let packet = packet.counted(from: begin), let index = streams.index(isVideo: packet.isVideo) else {
            return 0
        }
        return muxer.write(packet, stream: index, repeating: parameterSets)
    }

    /// Writes the end.
    ///
    /// - Returns: 0, or FFmpeg's code.
    func finish() -> Int32 { muxer.finish() }
}
