// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The inputs from which an output receives.
struct OutputRoute {
    /// Whether the session connects the output to the first input of each media type.
    var isAutomatic = true
    /// The media types of which the program has removed the connection of the session.
    var removed: Set<MediaType> = []
    /// The inputs to which the program has connected the output.
    var links: [MediaType: AVCaptureDeviceInput] = [:]

    /// Whether the program may connect the output to an input of a media type.
    func takesLink(_ type: MediaType) -> Bool { links[type] == nil && (!isAutomatic || removed.contains(type)) }

    /// Returns the inputs among those of the session.
    func sources(among inputs: [AVCaptureDeviceInput]) -> [MediaType: AVCaptureDeviceInput] {
        var sources = links
        guard isAutomatic else { return sources }
        for input in inputs {
            for type in input.device.device.mediaTypes where sources[type] == nil && !removed.contains(type) {
                sources[type] = input
            }
        }
        return sources
    }
}
