// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// A muxer for the packets of a broadcast, with its streams and its time offset. One thread at a time.
final class BroadcastMuxer {
    private let muxer: LiveMuxer
    private let streams: EncodedStreams
    private let parameterSets: [UInt8]
    /// The broadcast time that maps to 0.
    private var base: MediaTime?

    /// Opens the output and writes the header. Blocks until the control's deadline at most.
    ///
    /// - Parameters:
    ///   - begin: the time that maps to 0; nil for the time of the first packet.
    ///   - repeatsParameterSets: whether each key frame includes the parameter sets, for viewers that join later.
    ///   - failure: converts an FFmpeg error code to an error.
    init(
        _ plan: LiveMuxer.Plan, _ streams: EncodedStreams, begin: MediaTime? = nil,
        repeatsParameterSets: Bool = false, control: ReadControl, log: FFmpegLog, failure: (Int32) -> ObscuraError
    ) throws(ObscuraError) {
        self.streams = streams
        base = begin
        parameterSets = repeatsParameterSets ? streams.video?.sets ?? [] : []
        muxer = try LiveMuxer(plan, streams: streams.streams, control: control, log: log, failure: failure)
    }

    /// Writes a packet, unless its time is before 0; blocks until the control's deadline at most.
    ///
    /// - Returns: 0, or an FFmpeg error code.
    func write(_ packet: EncodedPacket) -> Int32 {
        let begin = base ?? packet.time
        base = begin
        guard let packet = packet.counted(from: begin), let index = streams.index(isVideo: packet.isVideo) else {
            return 0
        }
        return muxer.write(packet, stream: index, repeating: parameterSets)
    }

    /// Writes the trailer.
    ///
    /// - Returns: 0, or an FFmpeg error code.
    func finish() -> Int32 { muxer.finish() }
}
