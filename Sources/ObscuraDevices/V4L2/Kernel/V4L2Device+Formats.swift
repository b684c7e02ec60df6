// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import ObscuraMedia

/// The sizes or intervals that a driver offers: single ones, or a range with steps.
enum V4L2Choice<Value: Sendable>: Sendable {
    case discrete([Value])
    case stepwise(minimum: Value, maximum: Value, step: Value)
    /// The driver reports no sizes or intervals.
    case unknown
}

/// The node's formats. Each list has a limit, since a faulty driver could return endless lists.
extension V4L2Device {
    /// Maximum number of entries per list; no driver has more.
    private static let listLimit: UInt32 = 256

    /// The pixel layouts of the driver, including unsupported ones.
    var fourCCs: [FourCC] {
        var found: [FourCC] = []
        for index in 0..<Self.listLimit {
            var entry = v4l2_fmtdesc()
            entry.index = index
            entry.type = bufferType
            guard obscuraEnumerateFormats(descriptor, &entry) == 0 else { break }
            // Emulated layouts are conversions by libv4l.
            if entry.flags & UInt32(V4L2_FMT_FLAG_EMULATED) == 0 { found.append(FourCC(rawValue: entry.pixelformat)) }
        }
        return found
    }

    /// Returns the sizes for a layout.
    func sizes(of fourCC: FourCC) -> V4L2Choice<PixelSize> {
        var found: [PixelSize] = []
        for index in 0..<Self.listLimit {
            var entry = v4l2_frmsizeenum()
            entry.index = index
            entry.pixel_format = fourCC.rawValue
            guard obscuraEnumerateSizes(descriptor, &entry) == 0 else { break }
            if entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                found.append(PixelSize(width: Int(entry.discrete.width), height: Int(entry.discrete.height)))
                continue
            }
            let range = entry.stepwise
            return .stepwise(
                minimum: PixelSize(width: Int(range.min_width), height: Int(range.min_height)),
                maximum: PixelSize(width: Int(range.max_width), height: Int(range.max_height)),
                step: PixelSize(width: Int(max(1, range.step_width)), height: Int(max(1, range.step_height))))
        }
        return found.isEmpty ? .unknown : .discrete(found)
    }

    /// Returns the frame intervals for a layout and size, as fractions of a second.
    func intervals(of fourCC: FourCC, size: PixelSize) -> V4L2Choice<FrameInterval> {
        var found: [FrameInterval] = []
        for index in 0..<Self.listLimit {
            var entry = v4l2_frmivalenum()
            entry.index = index
            entry.pixel_format = fourCC.rawValue
            entry.width = UInt32(clamping: size.width)
            entry.height = UInt32(clamping: size.height)
            guard obscuraEnumerateIntervals(descriptor, &entry) == 0 else { break }
            if entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
                found.append(FrameInterval(entry.discrete))
                continue
            }
            return .stepwise(
                minimum: FrameInterval(entry.stepwise.min), maximum: FrameInterval(entry.stepwise.max),
                step: FrameInterval(entry.stepwise.step))
        }
        return found.isEmpty ? .unknown : .discrete(found)
    }

    /// The current frame interval; nil if the node does not report it.
    var currentInterval: FrameInterval? {
        var parameters = v4l2_streamparm()
        parameters.type = bufferType
        guard obscuraGetParameters(descriptor, &parameters) == 0 else { return nil }
        let interval = FrameInterval(parameters.parm.capture.timeperframe)
        return interval.isUsable ? interval : nil
    }

    /// The type of the node's capture queue.
    var bufferType: UInt32 {
        capabilities.isMultiPlanar
            ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    }
}

extension FrameInterval {
    init(_ fraction: v4l2_fract) {
        self.init(numerator: fraction.numerator, denominator: fraction.denominator)
    }
}
