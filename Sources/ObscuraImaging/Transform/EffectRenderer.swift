// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// The implementation of an effect. Called on any thread, also concurrently, and for frames in any order.
package protocol EffectRenderer: Sendable {
    /// Whether the effect accepts the format; other formats are converted to BGRA first.
    func accepts(_ format: PixelFormat) -> Bool

    /// Renders the effect. The result has the same size and format and is in the pool of `context`; `source` itself if
    /// nothing changes. Other readers use `source`, so it must not be modified.
    func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer
}

/// An effect of a closure that modifies a copy of the frame's picture in place.
struct ClosureRenderer: EffectRenderer {
    let name: String
    let formats: Set<PixelFormat>
    let body: @Sendable (inout PixelBuffer, EffectContext) throws -> Void

    func accepts(_ format: PixelFormat) -> Bool { formats.contains(format) }

    func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        var picture = try source.copy(in: context.pool)
        try body(&picture, context)
        guard picture.size == source.size, picture.format == source.format else {
            throw ObscuraError(
                .imaging, .invalidRequest, subject: "effect \(name)",
                reason: "the result is \(picture.size) in \(picture.format.rawValue), but must be \(source.size) in "
                    + source.format.rawValue,
                advice: "Keep the size and the pixel format.")
        }
        return picture
    }
}
