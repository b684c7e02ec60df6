// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// The work of an effect. Called on any thread, also on several at once, for frames in any order.
package protocol EffectRenderer: Sendable {
    /// Whether it works on such pictures as they are; others are made BGRA first.
    func accepts(_ format: PixelFormat) -> Bool

    /// The picture with the effect: of the same size and format, in the pool of `context`, or `source` itself where
    /// nothing changes. `source` is read by others and never written.
    func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer
}

/// What a user wrote: a closure that changes a picture in place, which is a copy of the frame's.
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
                reason:
                    "it made a picture of \(picture.size) in \(picture.format.rawValue) of one of \(source.size) in "
                    + source.format.rawValue,
                advice: "Change the picture in place, or give one of the same size and format.")
        }
        return picture
    }
}
