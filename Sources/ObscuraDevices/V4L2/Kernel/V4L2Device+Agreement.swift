// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import ObscuraCapture
internal import ObscuraMedia

/// The driver's response to a requested mode.
struct V4L2Agreement: Sendable {
    let mode: V4L2Mode
    /// The actual format: the rate may differ from the requested one.
    let format: VideoFormat
    let shape: FrameShape
    /// The color space that the driver reports; nil if it reports none.
    let colorSpace: ColorSpace?
    /// The driver's format when the mode was set.
    let picture: V4L2Picture
}

/// The frame format of a driver (VIDIOC_G_FMT, VIDIOC_S_FMT).
struct V4L2Picture: Sendable, Hashable {
    let fourCC: FourCC
    let size: PixelSize
    /// The bytes per row of each memory area of a buffer.
    let strides: [Int]
    let colors: V4L2Colors

    fileprivate init(_ answer: v4l2_format, isMultiPlanar: Bool) {
        if isMultiPlanar {
            let picture = answer.fmt.pix_mp
            fourCC = FourCC(rawValue: picture.pixelformat)
            size = PixelSize(width: Int(picture.width), height: Int(picture.height))
            strides = withUnsafeBytes(of: picture.plane_fmt) { bytes in
                bytes.bindMemory(to: v4l2_plane_pix_format.self).prefix(Int(picture.num_planes)).map {
                    Int($0.bytesperline)
                }
            }
            colors = V4L2Colors(
                colorSpace: picture.colorspace, encoding: UInt32(picture.ycbcr_enc),
                quantization: UInt32(picture.quantization), transfer: UInt32(picture.xfer_func))
        } else {
            let picture = answer.fmt.pix
            // Drivers from before 2014 leave later fields undefined.
            let isExtended = picture.priv == V4L2_PIX_FMT_PRIV_MAGIC
            fourCC = FourCC(rawValue: picture.pixelformat)
            size = PixelSize(width: Int(picture.width), height: Int(picture.height))
            strides = [Int(picture.bytesperline)]
            colors = V4L2Colors(
                colorSpace: picture.colorspace, encoding: isExtended ? picture.ycbcr_enc : 0,
                quantization: isExtended ? picture.quantization : 0,
                transfer: isExtended ? picture.xfer_func : 0)
        }
    }
}

extension V4L2Device {
    /// Sets the mode. A response with another size or layout is an error; another rate is not, since drivers round it
    /// to what the hardware supports.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedFormat`, `deviceInUse`, `deviceDisconnected` and others.
    func agree(on mode: V4L2Mode) throws(ObscuraError) -> V4L2Agreement {
        // The response to S_FMT may only repeat the request.
        let answer = try setFormat(mode)
        let picture = currentPicture ?? answer
        guard picture.fourCC == answer.fourCC, picture.size == answer.size, picture.strides == answer.strides else {
            throw .sourceChanged(path)
        }
        guard answer.fourCC == mode.layout.fourCC, answer.size == mode.format.size else {
            throw ObscuraError(
                .capture, .unsupportedFormat, subject: capabilities.card,
                reason: "it offers \(answer.size) \(answer.fourCC) instead of \(mode.format.size) "
                    + "\(mode.layout.fourCC)",
                remedy: .listFormats)
        }
        var format = mode.format
        format.frameRate = setInterval(mode.format.frameRate)
        return V4L2Agreement(
            mode: mode, format: format,
            shape: mode.layout.shape(size: mode.format.size, strides: answer.strides),
            colorSpace: answer.colors.meaning(for: mode.format.pixelFormat),
            picture: picture)
    }

    /// The current format; nil if the driver reports none, such as v4l2loopback without a writer.
    var currentPicture: V4L2Picture? {
        var request = v4l2_format()
        request.type = bufferType
        guard obscuraGetFormat(descriptor, &request) == 0 else { return nil }
        return V4L2Picture(request, isMultiPlanar: capabilities.isMultiPlanar)
    }

    private func setFormat(_ mode: V4L2Mode) throws(ObscuraError) -> V4L2Picture {
        var request = v4l2_format()
        request.type = bufferType
        if capabilities.isMultiPlanar {
            request.fmt.pix_mp.width = UInt32(clamping: mode.format.width)
            request.fmt.pix_mp.height = UInt32(clamping: mode.format.height)
            request.fmt.pix_mp.pixelformat = mode.layout.fourCC.rawValue
            request.fmt.pix_mp.field = V4L2_FIELD_NONE.rawValue
        } else {
            request.fmt.pix.width = UInt32(clamping: mode.format.width)
            request.fmt.pix.height = UInt32(clamping: mode.format.height)
            request.fmt.pix.pixelformat = mode.layout.fourCC.rawValue
            request.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        }
        let status = obscuraSetFormat(descriptor, &request)
        guard status == 0 else {
            if status == EINVAL {
                throw ObscuraError(
                    .capture, .unsupportedFormat, subject: capabilities.card,
                    reason: "it rejects \(mode.format.size) in the format \(mode.layout.fourCC)",
                    remedy: .listFormats, errno: status)
            }
            throw failure(status, "it rejects \(mode.format.size) in the format \(mode.layout.fourCC)")
        }
        return V4L2Picture(request, isMultiPlanar: capabilities.isMultiPlanar)
    }

    /// Sets the requested rate, if any, and returns the actual one; nil if it is unknown.
    private func setInterval(_ rate: FrameRate?) -> FrameRate? {
        guard let rate else { return currentInterval?.frameRate }
        var parameters = v4l2_streamparm()
        parameters.type = bufferType
        parameters.parm.capture.timeperframe = v4l2_fract(
            numerator: UInt32(rate.seconds), denominator: UInt32(rate.frames))
        // A driver without selectable rates rejects the call.
        guard obscuraSetParameters(descriptor, &parameters) == 0 else { return currentInterval?.frameRate }
        return FrameInterval(parameters.parm.capture.timeperframe).frameRate ?? rate
    }
}
