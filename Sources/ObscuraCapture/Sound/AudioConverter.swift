// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The protocol of a conversion between audio formats: sample rate, channels, sample type.
///
/// A converter carries its state from each buffer to the next. It begins anew by itself where a buffer does not
/// follow the one before. Used by one thread at a time.
public protocol AudioConverter: AnyObject, Sendable {
    /// The sound in the other form, with its times: nothing while the converter has too little of it; two buffers
    /// where it does not follow what came before, of which the rest comes first.
    ///
    /// - Throws: ``ObscuraError``.
    func convert(_ sound: AudioBuffer) throws(ObscuraError) -> [AudioBuffer]
    /// What the converter still keeps, at the end; nil if that is nothing.
    ///
    /// - Throws: ``ObscuraError``.
    func finish() throws(ObscuraError) -> AudioBuffer?
}

/// Who makes converters; given to a driver.
public protocol AudioConverterProvider: Sendable {
    /// A converter between two forms.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedFormat``.
    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> any AudioConverter
}
