// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The rotation, mirroring and effects of the frames.
struct PictureOptions: ParsableArguments {
    @Option(help: "Rotate clockwise: 'right' by 90 degrees, 'down' by 180, 'left' by 270; 'up' does not rotate.")
    private(set) var orientation: Orientation = .up

    @Flag(help: "Mirror horizontally.")
    private var mirror = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Apply an effect, such as mono or blur:4; may be repeated.",
            discussion: "Effects: \(VideoEffect.forms.joined(separator: ", ")). Brackets enclose optional parts. X,Y "
                + "is the position: pixels, as in @16,24, or words, as in @right,bottom.",
            valueName: "effect"),
        transform: EffectArgument.init(argument:))
    private var effect: [EffectArgument] = []

    var isMirrored: Bool { mirror }

    /// Whether the frames are changed.
    var changesFrames: Bool { orientation != .up || mirror || !effect.isEmpty }

    var effects: [VideoEffect] { effect.map(\.effect) }

    /// Configures the connection that carries the frames.
    func apply(to connection: CaptureConnection?) {
        connection?.orientation = orientation
        connection?.isMirrored = mirror
        connection?.effects = effects
    }
}
