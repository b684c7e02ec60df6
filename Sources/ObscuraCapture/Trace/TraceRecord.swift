// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import ObscuraMedia

/// A line of a trace: a JSON object that tells one thing a driver delivered or reported.
///
/// All times in nanoseconds count from the beginning of the trace. Readers ignore keys and kinds that they do not know.
struct TraceRecord: Codable, Sendable {
    /// What happened. A type with a raw value, so that a kind of a later version can be read and ignored.
    struct Kind: RawRepresentable, Hashable, Codable, Sendable {
        let rawValue: String

        /// The first line of the file.
        static let trace = Kind(rawValue: "trace")
        /// The session opens a device.
        static let open = Kind(rawValue: "open")
        /// The device runs, in these formats.
        static let start = Kind(rawValue: "start")
        static let frame = Kind(rawValue: "frame")
        /// A frame or a packet that the driver delivers compressed beside the same media in another form.
        static let encodedBeside = Kind(rawValue: "encodedBeside")
        static let sound = Kind(rawValue: "sound")
        /// A frame that the device flagged as damaged.
        static let lostFrame = Kind(rawValue: "lostFrame")
        static let interrupted = Kind(rawValue: "interrupted")
        static let resumed = Kind(rawValue: "resumed")
        /// The driver has ended its run.
        static let end = Kind(rawValue: "end")
        /// The session closes the device.
        static let close = Kind(rawValue: "close")
    }

    struct Device: Codable, Sendable {
        var uniqueID: String
        var name: String
        var model: String?
        var manufacturer: String?
        var isLive: Bool
    }

    struct Time: Codable, Sendable {
        var value: Int64
        var timescale: Int32

        init(_ time: MediaTime) { (value, timescale) = (time.value, time.timescale) }

        var mediaTime: MediaTime { MediaTime(value: value, timescale: timescale) }
    }

    struct Frame: Codable, Sendable {
        var format: PixelFormat
        var width: Int
        var height: Int
        var sequence: UInt64
        /// The time of capture, in nanoseconds.
        var captured: Int64
        /// The presentation time; nil if it is the time of capture.
        var time: Time?
        /// The decode time; nil if it is the presentation time.
        var decodeTime: Time?
        var duration: Time?
        var isKeyFrame: Bool?
        /// The number of frames that the driver reported as lost before this one.
        var gap: UInt64?
        var isDiscontinuity: Bool?
        var isHostTimeEstimated: Bool?
        var uprightTurn: Orientation?
        var isMirrored: Bool?
        var buffersLeft: Int?
        /// The number of bytes of a compressed frame.
        var byteCount: Int?
        /// The compressed frame, or a JPEG of an uncompressed one; nil if the trace has no pictures.
        var data: Data?
    }

    struct Sound: Codable, Sendable {
        var frameCount: Int
        var position: UInt64
        var captured: Int64
        var time: Time?
        var gap: UInt64?
        var isDiscontinuity: Bool?
        var isTimeEstimated: Bool?
    }

    struct Failure: Codable, Sendable {
        var domain: String
        var code: String
        var subject: String
        var reason: String

        init(_ error: ObscuraError) {
            (domain, code) = (error.domain.description, error.code.description)
            (subject, reason) = (error.subject, error.reason)
        }

        var error: ObscuraError {
            ObscuraError(ObscuraError.Domain(domain), ObscuraError.Code(code), subject: subject, reason: reason)
        }
    }

    var kind: Kind
    /// When the driver reported it, in nanoseconds.
    var at: Int64 = 0
    /// The number of the device: the count of opened devices before it.
    var device: Int?

    // What a kind has beside that.
    var version: Int?
    var program: String?
    var date: String?
    var info: Device?
    var video: VideoFormat?
    var audio: AudioFormat?
    var frame: Frame?
    var sound: Sound?
    var sequence: UInt64?
    var gap: UInt64?
    var reason: InterruptionReason?
    var error: Failure?
    /// The number of records that were left out before, because the disk was too slow; nil for none.
    var omitted: Int?

    init(_ kind: Kind, at: Int64 = 0, device: Int? = nil) {
        (self.kind, self.at, self.device) = (kind, at, device)
    }
}
