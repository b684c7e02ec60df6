// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// What is done to each picture on its way: the options of whatever takes pictures from a camera.
struct PictureOptions: ParsableArguments {
    @Option(help: "Where the top of the upright picture goes. Example: --orientation right")
    var orientation: Orientation = .up

    @Flag(help: "Left and right change places.")
    var mirror = false

    @OptionGroup(title: "Effects")
    var effects: EffectOptions
}
