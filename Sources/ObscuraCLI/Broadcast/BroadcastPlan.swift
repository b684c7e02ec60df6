// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The broadcast that the user asked for, checked as a whole before anything is touched.
struct BroadcastPlan {
    let source: String
    /// The microphone; nil leaves it to the kind of source.
    let microphone: String?
    let destinations: [BroadcastDestination]
    let settings: BroadcastSettings
    let duration: Duration?
    let preset: CaptureSession.Preset
    let orientation: Orientation
    let isMirrored: Bool
    let effects: [VideoEffect]
    let isJSON: Bool
    let isQuiet: Bool

    /// - Throws: `ValidationError`.
    init(_ command: BroadcastCommand, source: String, addresses: [String]) throws {
        self.source = command.source ?? source
        microphone = command.microphone
        duration = command.duration?.time.duration
        preset = command.preset ?? .high
        orientation = command.orientation
        isMirrored = command.mirror
        effects = command.effects.effects
        isJSON = command.json
        isQuiet = command.quiet
        if let duration, duration == .zero { throw ValidationError("--duration must be longer than nothing.") }
        let bits = command.bitRate.map { Int($0.count) }
        if let bits, !(50_000...1_000_000_000).contains(bits) { throw ValidationError("--bitrate must be 50k to 1G.") }
        var settings = BroadcastSettings(bitRate: bits)
        settings.adaptsBitRate = !command.fixedBitrate
        settings.video.size = command.size?.size
        settings.video.encoders.allowsGPL = !command.noGPL
        settings.trustedCertificates = command.ca
        if let interval = command.keyInterval?.time.duration {
            guard (Duration.milliseconds(100)...Duration.seconds(60)).contains(interval) else {
                throw ValidationError("--key-interval must be 100ms to 60s.")
            }
            settings.video.keyFrameInterval = interval
        }
        self.settings = settings
        if let file = command.record, try Self.destination(file).kind != .movie {
            throw ValidationError("The ending of \(file) does not say what to write. Give mp4, mov or mkv.")
        }
        var destinations = try (addresses + [command.record].compactMap(\.self)).map(Self.destination)
        for index in destinations.indices {
            destinations[index].startsWhenAvailable = command.wait
            destinations[index].overwrites = command.overwrite
        }
        self.destinations = destinations
    }

    private static func destination(_ address: String) throws -> BroadcastDestination {
        do {
            return try BroadcastDestination(address)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
