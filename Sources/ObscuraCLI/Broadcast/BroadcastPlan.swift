// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The broadcast that the user asked for, checked as a whole before anything is touched.
struct BroadcastPlan {
    /// Nil for the default camera.
    let source: String?
    let trust: ServerTrust
    /// The microphone; nil leaves it to the kind of source.
    let microphone: String?
    let destinations: [BroadcastDestination]
    var settings: BroadcastSettings
    let duration: Duration?
    let preset: CaptureSession.Preset
    let orientation: Orientation
    let isMirrored: Bool
    let effects: [VideoEffect]
    let isJSON: Bool
    let isQuiet: Bool

    /// - Parameters:
    ///   - destinations: where it goes, beside the movie of the options.
    ///   - startsWhenAvailable: whether servers that are not there yet are waited for.
    /// - Throws: `ValidationError`.
    init(
        _ options: BroadcastOptions, to destinations: [BroadcastDestination], startsWhenAvailable: Bool = false
    ) throws {
        source = options.source
        trust = options.sourceTrust.trust
        microphone = options.microphone
        duration = options.duration?.time.duration
        preset = options.preset ?? .high
        orientation = options.picture.orientation
        isMirrored = options.picture.mirror
        effects = options.picture.effects.effects
        isJSON = options.json
        isQuiet = options.quiet
        if let duration, duration == .zero { throw ValidationError("--duration must be longer than nothing.") }
        let bits = options.bitRate.map { Int($0.count) }
        if let bits, !(50_000...1_000_000_000).contains(bits) { throw ValidationError("--bitrate must be 50k to 1G.") }
        var settings = BroadcastSettings(bitRate: bits)
        settings.adaptsBitRate = !options.fixedBitrate
        settings.video.size = options.size?.size
        settings.video.encoders.allowsGPL = !options.noGPL
        if let interval = options.keyInterval?.time.duration {
            guard (Duration.milliseconds(100)...Duration.seconds(60)).contains(interval) else {
                throw ValidationError("--key-interval must be 100ms to 60s.")
            }
            settings.video.keyFrameInterval = interval
        }
        self.settings = settings
        var destinations = destinations
        for file in options.record {
            let movie = try Self.destination(file)
            guard movie.kind == .movie else {
                throw ValidationError("The ending of \(file) does not say what to write. Give mp4, mov or mkv.")
            }
            destinations.append(movie)
        }
        for (index, destination) in destinations.enumerated() where destinations[..<index].contains(destination) {
            throw ValidationError("\(destination.name) is there twice.")
        }
        for index in destinations.indices {
            destinations[index].startsWhenAvailable = startsWhenAvailable
            destinations[index].overwrites = options.overwrite
        }
        self.destinations = destinations
    }

    /// - Throws: `ValidationError`.
    static func destination(_ address: String) throws -> BroadcastDestination {
        do {
            return try BroadcastDestination(address)
        } catch {
            throw ValidationError(error.commandText)
        }
    }
}
