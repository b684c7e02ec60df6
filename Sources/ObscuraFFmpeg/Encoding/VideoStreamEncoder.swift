// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraBase
package import ObscuraMedia

/// A video encoder: an encoder of FFmpeg and its configuration.
///
/// No encoder reorders frames: output is in input order, so that a file can be split at each key frame, and a power
/// loss affects only the frames in the encoder.
package final class VideoStreamEncoder {
    /// The parameters of an encoding.
    package struct Job: Sendable {
        package var settings: VideoSettings
        /// The size of the movie.
        package var size: PixelSize
        /// The pixel format of the source.
        package var sourceFormat: PixelFormat
        package var colorSpace: ColorSpace
        /// Units per second of the times.
        package var timescale: Int32
        package var rate: FrameRate
        /// Whether each frame must be returned immediately, at the cost of some bits.
        package var isLive = false

        package init(
            settings: VideoSettings, size: PixelSize, sourceFormat: PixelFormat, colorSpace: ColorSpace,
            timescale: Int32, rate: FrameRate, isLive: Bool = false
        ) {
            self.settings = settings
            self.size = size
            self.sourceFormat = sourceFormat
            self.colorSpace = colorSpace
            self.timescale = timescale
            self.rate = rate
            self.isLive = isLive
        }
    }

    /// The maximum delay of frames in the encoder, in seconds.
    private static let delaySeconds = 0.3

    package let encoder: Encoder
    package let codec: VideoCodec
    package let size: PixelSize
    /// The pixel format that ``encode(_:units:duration:isKey:)`` accepts.
    package let format: PixelFormat
    package let colorSpace: ColorSpace
    private let upload: HardwareFrames?
    /// The quantizer scale of JPEG, if there is no bit rate.
    private let scale: Int32

    package init(_ name: String, _ job: Job) throws(ObscuraError) {
        let format = Self.format(name, job)
        self.format = format
        codec = job.settings.codec
        size = job.size
        // JPEG has a fixed color space.
        let space = job.settings.codec == .mjpeg ? ColorSpace.jpeg : job.colorSpace
        colorSpace = space
        let upload = name.hasSuffix("_vaapi") ? HardwareFrames(size: job.size) : nil
        if name.hasSuffix("_vaapi"), upload == nil {
            throw ObscuraError(
                .recording, .encoderUnavailable, subject: name, reason: "no GPU is available for this encoder")
        }
        self.upload = upload
        let scale = FF_QP2LAMBDA * Int32(2 + (1 - Self.quality(job)) * 20)
        self.scale = scale
        encoder = try Encoder(name, timescale: job.timescale, options: Self.options(name, job)) { context in
            context.pointee.width = Int32(job.size.width)
            context.pointee.height = Int32(job.size.height)
            context.pointee.pix_fmt = Self.jpegFormat(name, format) ?? FramePixels.ffmpeg(format)
            context.pointee.framerate = AVRational(num: job.rate.frames, den: job.rate.seconds)
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.max_b_frames = 0
            let interval = MediaTime(job.settings.keyFrameInterval).seconds * job.rate.framesPerSecond
            let isIntra = job.settings.codec == .mjpeg || job.settings.codec == .ffv1
            context.pointee.gop_size = isIntra ? 1 : Int32(clamping: max(1, Int(interval.rounded())))
            context.pointee.thread_count = Int32(clamping: Self.threads(job))
            // Slice threads add no delay; frame threads do.
            if job.isLive { context.pointee.thread_type = FF_THREAD_SLICE }
            let colors = StreamColors(space, isYUV: format.isYUV)
            context.pointee.colorspace = colors.matrix
            context.pointee.color_range = colors.range
            context.pointee.color_primaries = colors.primaries
            context.pointee.color_trc = colors.transfer
            if let bitRate = job.settings.bitRate ?? Self.impliedBitRate(name, job) {
                Self.limit(context, to: bitRate, isLive: job.isLive)
            } else if name == "mjpeg" {
                context.pointee.flags |= AV_CODEC_FLAG_QSCALE
                context.pointee.global_quality = scale
            }
            upload?.attach(to: context)
        }
    }

    /// Encodes a frame of ``format`` and of the movie's size; the buffer is retained until the frame is encoded.
    ///
    /// - Parameter isKey: whether the frame must be a key frame.
    package func encode(
        _ buffer: PixelBuffer, units: Int64, duration: Int64, isKey: Bool
    ) throws(ObscuraError) -> [EncodedPacket] {
        let frame = try Frame.over(buffer, units: units, duration: duration, isKey: isKey)
        let jpeg = Self.jpegFormat(encoder.name, format)
        if let jpeg { frame.pointer.pointee.format = jpeg.rawValue }
        // With a fixed scale, each frame specifies it.
        frame.pointer.pointee.quality = scale
        try encoder.send(try upload?.upload(frame) ?? frame)
        return try encoder.drain()
    }

    /// Changes the bit rate from the next frame on. Only if ``adaptsBitRate``.
    ///
    /// - Parameter bitRate: in bits per second.
    package func setBitRate(_ bitRate: Int) {
        encoder.configure { Self.limit($0, to: bitRate, isLive: true) }
    }

    /// Whether FFmpeg applies a new bit rate while the encoder runs (libx264.c, nvenc.c).
    package var adaptsBitRate: Bool { encoder.name == "libx264" || encoder.name.hasSuffix("_nvenc") }

    /// Ends the encoding and returns the remaining packets.
    package func finish() throws(ObscuraError) -> [EncodedPacket] {
        try encoder.send(nil)
        return try encoder.drain()
    }

    /// Returns the parameters that readers of the compressed frames need.
    package func videoParameters(_ parameters: CodecParameters) -> VideoParameters {
        VideoParameters(
            codec: codec, size: size, sets: codec == .h264 || codec == .hevc ? parameters.extraData : [],
            bitDepth: format.bitDepth, encoder: encoder.name)
    }

    // MARK: Configuration of the encoders

    /// A movie may use the bits of two seconds at once. Live frames are sent in real time: a frame that is much larger
    /// than the others arrives late, so its bits are limited to those of half a second.
    private static func limit(_ context: UnsafeMutablePointer<AVCodecContext>, to bitRate: Int, isLive: Bool) {
        context.pointee.bit_rate = Int64(bitRate)
        context.pointee.rc_max_rate = isLive ? Int64(bitRate) : Int64(bitRate) * 3 / 2
        context.pointee.rc_buffer_size = Int32(clamping: isLive ? bitRate / 2 : bitRate * 2)
    }

    private static func quality(_ job: Job) -> Double { job.settings.quality ?? 0.6 }

    /// Returns the maximum number of frames in the encoder.
    private static func delay(_ job: Job) -> Int {
        max(1, Int(job.rate.framesPerSecond * delaySeconds))
    }

    /// Returns the number of threads; each one holds a frame.
    private static func threads(_ job: Job) -> Int {
        min(WorkerPool.coreCount, 16, job.settings.codec == .ffv1 ? 16 : job.isLive ? 4 : delay(job))
    }

    /// Returns a bit rate for encoders without a quality setting.
    private static func impliedBitRate(_ name: String, _ job: Job) -> Int? {
        guard name.hasSuffix("_v4l2m2m") || name == "libopenh264" || name == "libkvazaar" else { return nil }
        let pixels = Double(job.size.width * job.size.height) * min(job.rate.framesPerSecond, 60)
        return max(100_000, Int(pixels * 0.06 * (0.4 + quality(job))))
    }

    private static func options(_ name: String, _ job: Job) -> [String: String] {
        var options: [String: String] = [:]
        options["profile"] = job.settings.profile?.rawValue
        let isConstant = job.settings.bitRate == nil
        let scale = 40 - Int((quality(job) * 28).rounded())
        let lookahead = job.isLive ? 0 : max(0, min(10, delay(job) - threads(job)))
        switch name {
        case "libx264":
            options["preset"] = "veryfast"
            options["rc-lookahead"] = "\(lookahead)"
            options["forced-idr"] = "1"
            if job.isLive { options["tune"] = "zerolatency" }
            if isConstant { options["crf"] = "\(scale)" }
        case "libx265":
            options["preset"] = "ultrafast"
            options["forced-idr"] = "1"
            if isConstant { options["crf"] = "\(min(51, scale + 5))" }
            if job.isLive { options["tune"] = "zerolatency" }
            // Otherwise x265 would write to the standard error.
            options["x265-params"] =
                "log-level=none:bframes=0:rc-lookahead=\(job.isLive ? 0 : max(1, lookahead))"
                + ":frame-threads=\(job.isLive ? 1 : min(4, threads(job)))"
        case _ where name.hasSuffix("_nvenc"):
            options["preset"] = "p4"
            options["forced-idr"] = "1"
            options["delay"] = "0"
            if job.isLive {
                options["tune"] = "ull"
                options["zerolatency"] = "1"
                options["rc"] = "cbr"
            }
            if isConstant {
                options["rc"] = "vbr"
                options["cq"] = "\(scale)"
            }
        case _ where name.hasSuffix("_vaapi"):
            options["async_depth"] = "1"
            if isConstant { options["qp"] = "\(scale)" }
        case _ where name.hasSuffix("_qsv"):
            options["async_depth"] = "1"
            options["forced_idr"] = "1"
            if isConstant { options["global_quality"] = "\(scale)" }
        case "libopenh264": options["allow_skip_frames"] = "0"
        case "ffv1":
            options["level"] = "3"
            options["slicecrc"] = "1"
        default: break
        }
        return options
    }

    /// Returns the format nearest to the source's that the encoder accepts.
    private static func format(_ name: String, _ job: Job) -> PixelFormat {
        let source = job.sourceFormat
        switch job.settings.codec {
        case .h264, .hevc:
            if job.settings.profile == .main10 { return .i010 }
            if upload(name) || name.hasSuffix("_qsv") { return .nv12 }
            return source == .nv12 && (name == "libx264" || name.contains("_")) ? .nv12 : .i420
        case .mjpeg:
            switch source {
            case .i422, .nv16, .yuyv, .uyvy, .yvyu, .vyuy, .i210: return .i422
            case .i444, .i410: return .i444
            default: return .i420
            }
        case .ffv1:
            switch source {
            case .i420, .i422, .i444, .i010, .i210, .i410, .gray8, .bgra: return source
            case .rgba, .argb, .abgr, .bgrx, .rgbx, .xrgb, .xbgr, .bgr24, .rgb24: return .bgra
            case .nv16, .yuyv, .uyvy, .yvyu, .vyuy: return .i422
            default: return .i420
            }
        }
    }

    private static func upload(_ name: String) -> Bool { name.hasSuffix("_vaapi") }

    /// Returns the full-range ("J") format that the JPEG encoder requires; nil for other encoders.
    private static func jpegFormat(_ name: String, _ format: PixelFormat) -> AVPixelFormat? {
        guard name == "mjpeg" else { return nil }
        switch format {
        case .i422: return AV_PIX_FMT_YUVJ422P
        case .i444: return AV_PIX_FMT_YUVJ444P
        default: return AV_PIX_FMT_YUVJ420P
        }
    }
}
