// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// An operation on the image of a frame.
///
/// Set effects on the connection of an output. From the next frame on, the effects apply to everything that the output
/// displays, records, photographs or sends.
///
/// ```swift
/// output.connection.effects = [.mono, .blur(radius: 4)]
/// output.connection.effects = []
/// ```
///
/// A custom effect is a closure that modifies a copy of the image:
///
/// ```swift
/// let border = VideoEffect("border") { picture, _ in
///     let bytesInARow = picture.width * 4
///     try picture.withMutableBytes(ofPlane: 0) { bytes in
///         for index in 0..<bytesInARow { bytes.storeBytes(of: 255, toByteOffset: index, as: UInt8.self) }
///     }
/// }
/// ```
///
/// Effects run in order on the upright frame, which is already cropped, rotated and mirrored, but not yet scaled or
/// converted for the output. An effect therefore looks the same at each size, and outputs with the same effects share
/// one result per frame. Effects run on threads of Obscura.
///
/// Two effects are equal if they have the same result for each frame. Built-in effects are equal if their parameters
/// are equal. Custom effects, overlays and effects that take a closure are equal only to their own copies.
public struct VideoEffect: Sendable, Hashable {
    /// The name for messages and lists.
    public let name: String

    package let renderer: any EffectRenderer
    private let key: AnySendableHashable

    /// Creates a custom effect.
    ///
    /// - Parameters:
    ///   - name: the name for messages and lists.
    ///   - formats: the formats that `body` supports. Frames in other formats are converted to BGRA, which `body` must
    ///     always support.
    ///   - body: modifies the image in place. Called on threads of Obscura, concurrently for several frames: protect
    ///     shared state with a lock. If `body` throws, the frame is dropped with the reason `transformFailed`.
    public init(
        _ name: String, formats: Set<PixelFormat> = [.bgra],
        _ body: @escaping @Sendable (inout PixelBuffer, EffectContext) throws -> Void
    ) {
        self.init(name: name, renderer: ClosureRenderer(name: name, formats: formats, body: body))
    }

    /// Creates an effect that equals those with an equal key and name.
    package init(name: String, key: some Hashable & Sendable, renderer: some EffectRenderer) {
        self.name = name
        self.renderer = renderer
        self.key = AnySendableHashable(key)
    }

    /// Creates an effect that equals only its copies.
    package init(name: String, renderer: some EffectRenderer) {
        self.init(name: name, key: Identity(), renderer: renderer)
    }

    /// Whether both effects have the same result for each frame.
    public static func == (one: VideoEffect, other: VideoEffect) -> Bool {
        one.name == other.name && one.key == other.key
    }

    /// Hashes name and parameters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(key)
    }

    private final class Identity: Sendable, Hashable {
        static func == (one: Identity, other: Identity) -> Bool { one === other }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension ImageRequest {
    /// The effects on the upright frame before it is scaled and converted, in order.
    ///
    /// Without a requested ``pixelFormat``, the result has the format in which the last effect returns the frame.
    public var effects: [VideoEffect] {
        get { opaqueEffects.compactMap { $0.base as? VideoEffect } }
        set { opaqueEffects = newValue.map(AnySendableHashable.init) }
    }
}
