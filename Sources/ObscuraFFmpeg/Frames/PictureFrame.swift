// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

extension Frame {
    private final class Holder {
        let buffer: PixelBuffer
        init(_ buffer: PixelBuffer) { self.buffer = buffer }
    }

    /// Creates a frame over the memory of `buffer`, without a copy. The buffer is retained until the last reference to
    /// the frame is released.
    ///
    /// - Parameters:
    ///   - units: the time of the frame, in the encoder's time base.
    ///   - isKey: whether the frame must be encoded as a key frame.
    package static func over(
        _ buffer: PixelBuffer, units: Int64, duration: Int64, isKey: Bool
    ) throws(ObscuraError) -> Frame {
        guard let frame = Frame() else { throw .outOfMemory(.recording, "frame") }
        let pointer = frame.pointer
        pointer.pointee.format = FramePixels.ffmpeg(buffer.format).rawValue
        pointer.pointee.width = Int32(buffer.width)
        pointer.pointee.height = Int32(buffer.height)
        pointer.pointee.pts = units
        pointer.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        obscura_set_frame_duration(pointer, duration)
        let colors = StreamColors(buffer.colorSpace, isYUV: buffer.format.isYUV)
        pointer.pointee.colorspace = colors.matrix
        pointer.pointee.color_range = colors.range
        pointer.pointee.color_primaries = colors.primaries
        pointer.pointee.color_trc = colors.transfer
        buffer.withPlanes { planes in
            withUnsafeMutableBytes(of: &pointer.pointee.data) { places in
                let places = places.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)
                for (index, plane) in planes.enumerated() where index < places.count {
                    places[index] = plane.base.assumingMemoryBound(to: UInt8.self)
                }
            }
            withUnsafeMutableBytes(of: &pointer.pointee.linesize) { strides in
                let strides = strides.bindMemory(to: Int32.self)
                for (index, plane) in planes.enumerated() where index < strides.count {
                    strides[index] = Int32(clamping: plane.bytesPerRow)
                }
            }
            pointer.pointee.extended_data = obscura_frame_planes(pointer)
            guard let first = planes.first else { return }
            let holder = Unmanaged.passRetained(Holder(buffer))
            pointer.pointee.buf.0 = libav.av_buffer_create(
                first.base.assumingMemoryBound(to: UInt8.self), first.byteCount,
                { holder, _ in
                    if let holder { Unmanaged<AnyObject>.fromOpaque(holder).release() }
                }, holder.toOpaque(), AV_BUFFER_FLAG_READONLY)
            if pointer.pointee.buf.0 == nil { holder.release() }
        }
        guard pointer.pointee.buf.0 != nil else { throw .outOfMemory(.recording, "frame") }
        return frame
    }
}

/// The color properties that an encoder writes to its stream.
package struct StreamColors {
    var matrix: AVColorSpace
    var range: AVColorRange
    var primaries: AVColorPrimaries
    var transfer: AVColorTransferCharacteristic

    package init(_ space: ColorSpace, isYUV: Bool) {
        switch space.matrix {
        case _ where !isYUV: matrix = AVCOL_SPC_RGB
        case .bt601: matrix = AVCOL_SPC_SMPTE170M
        case .bt709: matrix = AVCOL_SPC_BT709
        case .bt2020: matrix = AVCOL_SPC_BT2020_NCL
        }
        range = space.range == .full || !isYUV ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        switch space.primaries {
        case .bt601NTSC: primaries = AVCOL_PRI_SMPTE170M
        case .bt601PAL: primaries = AVCOL_PRI_BT470BG
        case .bt709: primaries = AVCOL_PRI_BT709
        case .bt2020: primaries = AVCOL_PRI_BT2020
        }
        switch space.transfer {
        case .bt709: transfer = AVCOL_TRC_BT709
        case .sRGB: transfer = AVCOL_TRC_IEC61966_2_1
        case .linear: transfer = AVCOL_TRC_LINEAR
        case .pq: transfer = AVCOL_TRC_SMPTE2084
        case .hlg: transfer = AVCOL_TRC_ARIB_STD_B67
        }
    }
}
