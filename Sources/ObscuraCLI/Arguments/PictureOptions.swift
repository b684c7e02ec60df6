// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The rotation, mirroring and effects of the frames.
struct PictureOptions: ParsableArguments {
    @Option(help: "Rotate the frame clockwise: up (0 degrees), right (90), down (180) or left (270).")
    private(set) var orientation: Orientation = .up

    @Flag(help: "Mirror horizontally.")
    private var mirror = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Effect on the frames; may be repeated. Example: --effect mono --effect blur:4",
            discussion: VideoEffect.forms.joined(separator: ", "),
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
