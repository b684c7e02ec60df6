// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CLibYUV
internal import ObscuraMedia

/// The operations of libyuv that are used: moving and scaling samples, but no color conversion.
///
/// The planes of each target must have the shape of the result; the callers are the steps of ``ImagePlan``, which
/// guarantee that.
enum LibYUV {
    /// Separates the planes of semi-planar formats (chroma only; the caller copies luma) and of packed 4:2:2.
    static func separate(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let (width, height) = (Int32(source.width), Int32(source.height))
        let chroma = target.planes[1]
        let isSwapped = source.format.hasRedChromaFirst
        try target.withMutablePlanes { to in
            let (first, second) = isSwapped ? (to[2], to[1]) : (to[1], to[2])
            source.withPlanes { from in
                switch source.format {
                case .nv12, .nv21, .nv16:
                    SplitUVPlane(
                        from[1].bytes, from[1].stride, first.bytes, first.stride, second.bytes, second.stride,
                        Int32(chroma.rowBytes), Int32(chroma.rows))
                case .yuyv, .yvyu:
                    _ = YUY2ToI422(
                        from[0].bytes, from[0].stride, to[0].bytes, to[0].stride, first.bytes, first.stride,
                        second.bytes, second.stride, width, height)
                default:
                    _ = UYVYToI422(
                        from[0].bytes, from[0].stride, to[0].bytes, to[0].stride, first.bytes, first.stride,
                        second.bytes, second.stride, width, height)
                }
            }
        }
    }

    /// Interleaves the chroma of I420 to that of NV12; the caller copies luma.
    static func interleave(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let chroma = source.planes[1]
        try target.withMutablePlanes { to in
            source.withPlanes { from in
                MergeUVPlane(
                    from[1].bytes, from[1].stride, from[2].bytes, from[2].stride, to[1].bytes, to[1].stride,
                    Int32(chroma.rowBytes), Int32(chroma.rows))
            }
        }
    }

    /// Scales each plane of YUV to the size of the target's: a mean if it becomes much smaller, else an interpolation.
    static func scale(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let layouts = zip(source.planes, target.planes)
        let isWide = source.format.bitDepth > 8
        let sampleBytes = isWide ? 2 : 1
        try target.withMutablePlanes { targets in
            source.withPlanes { sources in
                for ((from, to), (old, new)) in zip(zip(sources, targets), layouts) {
                    let (oldWidth, oldRows) = (Int32(old.rowBytes / sampleBytes), Int32(old.rows))
                    let (newWidth, newRows) = (Int32(new.rowBytes / sampleBytes), Int32(new.rows))
                    if isWide {
                        obscuraScalePlane16(
                            from.words, from.stride / 2, oldWidth, oldRows, to.words, to.stride / 2, newWidth,
                            newRows)
                    } else {
                        obscuraScalePlane(
                            from.bytes, from.stride, oldWidth, oldRows, to.bytes, to.stride, newWidth, newRows)
                    }
                }
            }
        }
    }

    /// Converts BGRA to RGBA, or back.
    static func swapRedAndBlue(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        try convert(source, into: &target, with: ARGBToABGR)
    }

    /// Converts three bytes per pixel to four, in the target's order.
    static func addAlpha(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        // libyuv's names begin with the highest byte of a word: only in "RAW" red comes first in memory.
        let isSwapped = source.format.isBlueFirst != target.format.isBlueFirst
        try convert(source, into: &target, with: isSwapped ? RAWToARGB : RGB24ToARGB)
    }

    /// Converts four bytes per pixel to three, in the target's order.
    static func dropAlpha(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let isSwapped = source.format.isBlueFirst != target.format.isBlueFirst
        try convert(source, into: &target, with: isSwapped ? ARGBToRAW : ARGBToRGB24)
    }

    private typealias PixelConversion = (
        UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32, Int32, Int32
    ) -> Int32

    private static func convert(
        _ source: PixelBuffer, into target: inout PixelBuffer, with conversion: PixelConversion
    ) throws {
        let (width, height) = (Int32(source.width), Int32(source.height))
        try target.withMutablePlanes { to in
            source.withPlanes { from in
                _ = conversion(from[0].bytes, from[0].stride, to[0].bytes, to[0].stride, width, height)
            }
        }
    }

    /// Transposes samples of one byte: columns become rows.
    static func transpose(_ source: RowPointer, into target: RowPointer, width: Int, rows: Int) {
        TransposePlane(
            source.base, Int32(source.stride), target.base, Int32(target.stride), Int32(width), Int32(rows))
    }

    /// Mirrors rows of samples of one byte.
    static func mirror(_ source: RowPointer, into target: RowPointer, width: Int, rows: Int) {
        MirrorPlane(source.base, Int32(source.stride), target.base, Int32(target.stride), Int32(width), Int32(rows))
    }
}

extension PixelStorage.Plane {
    fileprivate var words: UnsafeMutablePointer<UInt16> { base.assumingMemoryBound(to: UInt16.self) }
    fileprivate var stride: Int32 { Int32(bytesPerRow) }
}
