// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CLibYUV
internal import ObscuraMedia

/// What libyuv does for us: it moves and scales samples. It converts no colours.
///
/// The planes of each target must have the shape that the function makes; the callers are the steps of
/// ``ImagePlan``, which see to that.
enum LibYUV {
    /// Planes out of a semi-planar picture (chroma only: luma is left to the caller) or packed 4:2:2.
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

    /// The chroma of NV12 out of that of I420; luma is left to the caller.
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

    /// Each plane to the size that the target's has: an average when it gets much smaller, else between the
    /// neighbours.
    static func scale(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let layouts = zip(source.planes, target.planes)
        let format = source.format
        let isWide = format.bitDepth > 8
        let sampleBytes = format.isYUV ? (isWide ? 2 : 1) : 4
        try target.withMutablePlanes { targets in
            source.withPlanes { sources in
                for ((from, to), (old, new)) in zip(zip(sources, targets), layouts) {
                    let (oldWidth, oldRows) = (Int32(old.rowBytes / sampleBytes), Int32(old.rows))
                    let (newWidth, newRows) = (Int32(new.rowBytes / sampleBytes), Int32(new.rows))
                    if sampleBytes == 4 {
                        _ = ARGBScale(
                            from.bytes, from.stride, oldWidth, oldRows, to.bytes, to.stride, newWidth, newRows,
                            kFilterBox)
                    } else if isWide {
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

    /// BGRA to RGBA, or back.
    static func swapRedAndBlue(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        try target.withMutablePlanes { to in
            source.withPlanes { from in
                _ = ARGBToABGR(
                    from[0].bytes, from[0].stride, to[0].bytes, to[0].stride, Int32(source.width),
                    Int32(source.height))
            }
        }
    }

    /// Three bytes a pixel to four, in the order of the target.
    static func addAlpha(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let (width, height) = (Int32(source.width), Int32(source.height))
        let isSwapped = source.format.isBlueFirst != target.format.isBlueFirst
        try target.withMutablePlanes { to in
            source.withPlanes { from in
                // Its names count from the highest byte of a word: to it, red comes first in "RAW" alone.
                let convert = isSwapped ? RAWToARGB : RGB24ToARGB
                _ = convert(from[0].bytes, from[0].stride, to[0].bytes, to[0].stride, width, height)
            }
        }
    }

    /// Four bytes a pixel to three, in the order of the target.
    static func dropAlpha(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let (width, height) = (Int32(source.width), Int32(source.height))
        let isSwapped = source.format.isBlueFirst != target.format.isBlueFirst
        try target.withMutablePlanes { to in
            source.withPlanes { from in
                let convert = isSwapped ? ARGBToRAW : ARGBToRGB24
                _ = convert(from[0].bytes, from[0].stride, to[0].bytes, to[0].stride, width, height)
            }
        }
    }

    /// Moves the samples of a planar picture of 8 bits.
    static func permute(
        _ source: PixelBuffer, into target: inout PixelBuffer, _ permutation: OrientationTransform
    ) throws {
        try target.withMutablePlanes { targets in
            source.withPlanes { sources in
                for (layout, (from, to)) in zip(source.planes, zip(sources, targets)) {
                    permute(from, layout, into: to, permutation)
                }
            }
        }
    }

    private static func permute(
        _ source: PixelStorage.Plane, _ layout: PlaneLayout, into target: PixelStorage.Plane,
        _ permutation: OrientationTransform
    ) {
        let (width, height) = (Int32(layout.rowBytes), Int32(layout.rows))
        if permutation.isTransposed {
            // Columns of the result are rows of the source: read upwards, they come out reversed.
            let from = permutation.flipsColumns ? source.upwards(layout.rows) : (source.bytes, source.stride)
            let to = permutation.flipsRows ? target.upwards(layout.rowBytes) : (target.bytes, target.stride)
            TransposePlane(from.0, from.1, to.0, to.1, width, height)
        } else {
            let from = permutation.flipsRows ? source.upwards(layout.rows) : (source.bytes, source.stride)
            if permutation.flipsColumns {
                MirrorPlane(from.0, from.1, target.bytes, target.stride, width, height)
            } else {
                CopyPlane(from.0, from.1, target.bytes, target.stride, width, height)
            }
        }
    }
}

extension PixelStorage.Plane {
    fileprivate var words: UnsafeMutablePointer<UInt16> { base.assumingMemoryBound(to: UInt16.self) }
    fileprivate var stride: Int32 { Int32(bytesPerRow) }

    /// The plane from its last row to its first.
    fileprivate func upwards(_ rows: Int) -> (UnsafeMutablePointer<UInt8>, Int32) {
        (bytes + (rows - 1) * bytesPerRow, -stride)
    }
}
