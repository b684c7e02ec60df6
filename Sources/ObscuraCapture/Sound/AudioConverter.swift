// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The protocol of a conversion between audio formats: sample rate, channels, sample type.
///
/// A converter keeps its state from one buffer to the next. It resets itself at a buffer that does not follow
/// the one before. Used by one thread at a time.
public protocol AudioConverter: AnyObject, Sendable {
    /// Returns the sound in the other format, with its times. The result is empty while the converter has too few
    /// samples. If the sound does not continue the sound before, it has two buffers, and the first is the remainder of
    /// the former sound.
    ///
    /// - Throws: ``ObscuraError``.
    func convert(_ sound: AudioBuffer) throws(ObscuraError) -> [AudioBuffer]
    /// Returns the samples that remain in the converter at the end; nil if there are none.
    ///
    /// - Throws: ``ObscuraError``.
    func finish() throws(ObscuraError) -> AudioBuffer?
}

/// A factory of converters, given to a driver.
public protocol AudioConverterProvider: Sendable {
    /// Creates a converter between two formats.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedFormat``.
    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> any AudioConverter
}
