// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
internal import ObscuraFFmpeg
public import ObscuraMedia

/// A provider of audio converters that use libswresample, for microphone and movie drivers.
public struct FFmpegConverters: AudioConverterProvider {
    /// Creates the provider.
    public init() {}

    /// Returns a converter between two audio formats.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedFormat`` if FFmpeg does not support the conversion, or is missing.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> any AudioConverter {
        do throws(ObscuraError) {
            return LiveConverter(try AudioResampler(from: format, to: other))
        } catch {
            throw ObscuraError(
                .capture, .unsupportedFormat, subject: "audio of \(format)", reason: error.reason, remedy: error.remedy)
        }
    }
}

/// A resampler as an ``AudioConverter``. The lock admits one thread at a time.
private final class LiveConverter: AudioConverter {
    private let resampler: Lock<AudioResampler>

    init(_ resampler: sending AudioResampler) {
        self.resampler = Lock(resampler)
    }

    func convert(_ sound: AudioBuffer) throws(ObscuraError) -> [AudioBuffer] {
        try resampler.withLock { resampler throws(ObscuraError) in try resampler.convert(sound) }
    }

    func finish() throws(ObscuraError) -> AudioBuffer? {
        try resampler.withLock { resampler throws(ObscuraError) in try resampler.finish() }
    }
}
