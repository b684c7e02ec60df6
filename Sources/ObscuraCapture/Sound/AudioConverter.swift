// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A converter between two audio formats, which differ in sample rate, channels or sample type.
///
/// A converter keeps its state from one buffer to the next, and resets itself at a buffer that does not directly
/// follow the previous buffer. Used by one thread at a time.
public protocol AudioConverter: AnyObject, Sendable {
    /// Converts a buffer. The result is empty while the converter has too few samples. If `sound` does not directly
    /// follow the previous buffer, the result can have two buffers: the remainder of the previous sound and the new
    /// sound.
    ///
    /// - Throws: ``ObscuraError`` if the sound cannot be converted.
    func convert(_ sound: AudioBuffer) throws(ObscuraError) -> [AudioBuffer]
    /// Returns the samples that remain in the converter at the end; nil if no samples remain.
    ///
    /// - Throws: ``ObscuraError`` if the samples cannot be converted.
    func finish() throws(ObscuraError) -> AudioBuffer?
}

/// A factory of audio converters. A driver uses the factory in ``CaptureDriver/makeAudioConverter(from:to:)``.
public protocol AudioConverterProvider: Sendable {
    /// Returns a new converter between two formats.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedFormat`` if the conversion is not supported.
    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> any AudioConverter
}
