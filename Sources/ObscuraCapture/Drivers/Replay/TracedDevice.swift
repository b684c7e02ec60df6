// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The camera of a trace that is played back, with its sound: its own, or that of the first microphone.
struct TracedDevice: Sendable {
    let path: String
    /// The ids in the trace of the camera, and of the device with the sound.
    private(set) var camera: String?
    private(set) var microphone: String?
    private(set) var name = ""
    /// The formats in which frames and sound are delivered.
    private(set) var video: VideoFormat?
    private(set) var audio: AudioFormat?
    /// Whether the trace has pictures.
    private(set) var hasPictures = false

    /// The time of the trace after which no microphone is looked for, in nanoseconds.
    private static let patience: Int64 = 10_000_000_000

    /// Reads the beginning of a trace.
    ///
    /// - Parameter number: which of the cameras, from 1 on.
    /// - Throws: the errors of ``TraceReader``, and `noSuchDevice`.
    init(_ path: String, camera number: Int) throws(ObscuraError) {
        self.path = path
        let reader = try TraceReader(path)
        var devices: [Int: TraceRecord.Device] = [:]
        var cameras: [String] = []
        var begin: Int64?
        var isPictureKnown = false
        while let record = try next(of: reader) {
            if let begin, record.at - begin > Self.patience { break }
            guard let device = record.device else { continue }
            if record.kind == .open { devices[device] = record.info }
            guard let info = devices[device] else { continue }
            switch record.kind {
            case .start:
                if record.video != nil, !cameras.contains(info.uniqueID) { cameras.append(info.uniqueID) }
                if record.video != nil, camera == nil, cameras.count == number {
                    (camera, name, video, begin) = (info.uniqueID, info.name, record.video, record.at)
                    // Its own sound is preferred.
                    if let sound = record.audio { (microphone, audio) = (info.uniqueID, sound) }
                } else if let sound = record.audio, record.video == nil, microphone == nil {
                    (microphone, audio) = (info.uniqueID, sound)
                }
            case .frame where info.uniqueID == camera:
                hasPictures = hasPictures || record.frame?.data != nil
                isPictureKnown = true
            default: break
            }
            if camera != nil, microphone != nil, isPictureKnown { break }
        }
        try checkFormats(number, cameras)
        // Pictures are compressed; without them, the frames show the test pattern.
        if !hasPictures {
            video?.pixelFormat = .i420
        } else if video?.pixelFormat.isCompressed == false {
            video?.pixelFormat = .mjpeg
        }
        if camera == nil { name = devices.values.first { $0.uniqueID == microphone }?.name ?? "" }
    }

    /// Returns the next record; nil at the end, and where the trace is damaged after the camera was found.
    private func next(of reader: TraceReader) throws(ObscuraError) -> TraceRecord? {
        do throws(ObscuraError) {
            return try reader.next()
        } catch {
            guard camera == nil else { return nil }
            throw error
        }
    }

    private mutating func checkFormats(_ number: Int, _ cameras: [String]) throws(ObscuraError) {
        if let sound = audio, !(1...64).contains(sound.channelCount) || !(1...768_000).contains(sound.sampleRate) {
            (audio, microphone) = (nil, nil)
        }
        guard camera != nil || cameras.isEmpty && number == 1 && microphone != nil else {
            throw ObscuraError(
                .capture, .noSuchDevice, subject: path,
                reason: cameras.isEmpty
                    ? "the trace contains no frames of a camera"
                    : "the trace has \(cameras.count) camera(s), so there is no camera \(number)")
        }
        try video.map { video throws(ObscuraError) in try Self.check(video.size, path) }
    }

    /// Throws unless a trace may have frames of this size, as the test pattern may.
    static func check(_ size: PixelSize, _ path: String) throws(ObscuraError) {
        let sides = 2...16_384
        guard !sides.contains(size.width) || !sides.contains(size.height) else { return }
        throw ObscuraError(
            .capture, .damaged, subject: path, reason: "the trace has frames of the invalid size \(size)")
    }
}
