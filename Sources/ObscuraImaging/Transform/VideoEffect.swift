// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Takes the picture of a frame and gives another one.
///
/// An effect works wherever frames go: set it on the connection of an output, and what is seen, recorded,
/// photographed or sent through it has the effect from the next frame on.
///
/// ```swift
/// output.connection.effects = [.mono, .blur(radius: 4)]
/// output.connection.effects = []
/// ```
///
/// One's own is a closure over a picture, a copy that it may change:
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
/// Effects run one after the other on the upright picture: cropped, turned and mirrored, but not yet scaled or
/// converted to what the output asks for. So an effect looks alike at each size, and however many outputs have the
/// same effects, they are made once for each frame. The threads are those of the transforms.
///
/// Two effects are equal if they make the same picture of the same frame: those that come with the package by their
/// parameters; one's own, and those that hold a closure, if they are copies of one another.
public struct VideoEffect: Sendable, Hashable {
    /// For messages and lists.
    public let name: String

    package let renderer: any EffectRenderer
    private let key: AnySendableHashable

    /// One's own effect.
    ///
    /// - Parameters:
    ///   - formats: what `body` can work on. Pictures of other formats are made BGRA, which it must always know.
    ///   - body: changes the picture, in place. It is called on threads of the transforms, for several frames at
    ///     once if several outputs ask, and so must not keep state without a lock. What it throws is counted as a
    ///     frame dropped with the reason `transformFailed`.
    public init(
        _ name: String, formats: Set<PixelFormat> = [.bgra],
        _ body: @escaping @Sendable (inout PixelBuffer, EffectContext) throws -> Void
    ) {
        self.init(name: name, renderer: ClosureRenderer(name: name, formats: formats, body: body))
    }

    /// An effect that is equal to those with an equal key and the same kind of work.
    package init(name: String, key: some Hashable & Sendable, renderer: some EffectRenderer) {
        self.name = name
        self.renderer = renderer
        self.key = AnySendableHashable(key)
    }

    /// An effect that is equal to its copies alone.
    package init(name: String, renderer: some EffectRenderer) {
        self.init(name: name, key: Identity(), renderer: renderer)
    }

    /// Whether both make the same picture of the same frame.
    public static func == (one: VideoEffect, other: VideoEffect) -> Bool {
        one.name == other.name && one.key == other.key
    }

    /// By name and parameters.
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
    /// What is done to the upright picture before it is scaled and converted, one effect after the other.
    ///
    /// Without a ``pixelFormat`` asked for, the result is in the format in which the last effect worked.
    public var effects: [VideoEffect] {
        get { opaqueEffects.compactMap { $0.base as? VideoEffect } }
        set { opaqueEffects = newValue.map(AnySendableHashable.init) }
    }
}
