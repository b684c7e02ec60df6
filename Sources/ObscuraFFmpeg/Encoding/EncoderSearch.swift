// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraBase
package import ObscuraMedia

/// A search for the best encoder that works.
package enum EncoderSearch {
    /// The time limit for the first frame of a hardware encoder.
    private static let patience = Duration.seconds(5)
    /// The results of the trials in this process, by encoder name.
    private static let trials = Lock<[String: Bool]>([:])

    /// Opens the first of the policy's candidates that supports the job.
    ///
    /// - Throws: ``ObscuraError/Code/encoderUnavailable`` with the encoders that were tried.
    package static func open(_ job: VideoStreamEncoder.Job) throws(ObscuraError) -> VideoStreamEncoder {
        try FFmpegLibrary.load()
        let codec = job.settings.codec
        let policy = job.settings.encoders
        var refusals: [ObscuraError] = []
        for candidate in policy.candidates(for: codec) {
            guard libav.avcodec_find_encoder_by_name(candidate.name) != nil else { continue }
            if candidate.isHardware, !works(candidate.name, codec) { continue }
            do throws(ObscuraError) {
                return try VideoStreamEncoder(candidate.name, job)
            } catch {
                refusals.append(error)
            }
        }
        let names = policy.candidates(for: codec).map(\.name).joined(separator: ", ")
        if let last = refusals.last {
            throw ObscuraError(
                .recording, .encoderUnavailable, subject: codec.rawValue,
                reason: "no encoder accepts \(job.size) with these settings; \(last.subject): \(last.reason)",
                libraryMessage: last.libraryMessage)
        }
        let remedy: Remedy =
            switch (policy.hardware, policy.allowsGPL) {
            case (.required, _): .advice("Allow software encoders, too.")
            case (_, true): .advice("Install an FFmpeg with one of these encoders.")
            case (_, false): .allowGPLEncoders
            }
        throw ObscuraError(
            .recording, .encoderUnavailable, subject: codec.rawValue,
            reason: "none of the allowed encoders is available: \(names)", remedy: remedy)
    }

    /// Whether a hardware encoder encodes a frame. Tried once per process, for at most ``patience``.
    private static func works(_ name: String, _ codec: VideoCodec) -> Bool {
        if let known = trials.withLock({ $0[name] }) { return known }
        let answer = Lock<Bool?>(nil)
        // A driver that hangs blocks only this thread.
        let isStarted = WorkerThread.detach(name: "try-encoder") {
            let works = encodesFrame(name, codec)
            answer.withLockSignalling { $0 = works }
        }
        let works = isStarted && (answer.wait(until: .now + patience) { $0 } ?? false)
        trials.withLock { $0[name] = works }
        return works
    }

    private static func encodesFrame(_ name: String, _ codec: VideoCodec) -> Bool {
        let size = PixelSize(width: 640, height: 368)
        let job = VideoStreamEncoder.Job(
            settings: VideoSettings(codec: codec, bitRate: 1_000_000), size: size, sourceFormat: .nv12,
            colorSpace: .bt709, timescale: 30, rate: FrameRate(30))
        do {
            let encoder = try VideoStreamEncoder(name, job)
            let picture = try PixelBuffer(
                format: encoder.format, width: size.width, height: size.height, colorSpace: .bt709)
            var packets = try encoder.encode(picture, units: 0, duration: 1, isKey: true)
            packets += try encoder.finish()
            // Files need the parameter sets in their header.
            return try packets.contains { $0.byteCount > 0 } && !encoder.encoder.makeParameters().extraData.isEmpty
        } catch {
            return false
        }
    }
}
