// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// A resampler that makes audio slightly longer or shorter, to follow a clock that drifts. Not thread-safe: use one
/// thread at a time.
///
/// The output lags by ``delay``. The part by which it is longer may change with each buffer, without a click.
package final class VariableRateResampler {
    package let format: AudioFormat
    private let context: ResamplerContext

    /// - Parameter last: the audio before the first buffer, so that the output continues it; nil for a beginning.
    /// - Throws: ``ObscuraError/Code/outOfMemory``.
    package init(_ format: AudioFormat, after last: AudioBuffer?) throws(ObscuraError) {
        self.format = format
        context = try ResamplerContext(from: format, to: format, isVariable: true)
        guard let last, last.format == format else { return }
        try context.skip(last.frameCount)
        _ = try context.convert(last)
    }

    /// The input that has not become output yet, in sample frames.
    package var delay: Double { context.delay }

    /// Converts a buffer of ``format``, whose output becomes longer by this part, and returns the available output,
    /// with the times of the buffer.
    package func convert(_ buffer: AudioBuffer, stretchedBy part: Double) throws(ObscuraError) -> AudioBuffer? {
        try context.stretch(by: part)
        return try context.convert(buffer).map { made($0, buffer) }
    }

    /// Returns the rest of the output; nil if there is none. Afterwards other audio may begin.
    package func finish() throws(ObscuraError) -> AudioBuffer? {
        let rest = try context.convert(nil, limit: Int(delay.rounded()))
        try context.reset()
        return rest.map { made($0, nil) }
    }

    private func made(_ samples: AudioBuffer.Samples, _ buffer: AudioBuffer?) -> AudioBuffer {
        AudioBuffer(
            format: format, samples: samples, presentationTime: buffer?.presentationTime ?? .zero,
            hostTime: buffer?.hostTime ?? HostTime(nanoseconds: 0))
    }
}
