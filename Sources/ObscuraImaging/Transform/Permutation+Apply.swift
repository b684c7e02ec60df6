// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension Permutation {
    /// Moves every sample of `source`, a planar picture or RGB, to its place in `target`.
    func apply(to source: PixelBuffer, into target: inout PixelBuffer) throws {
        let sampleBytes = source.format.isYUV ? (source.format.bitDepth > 8 ? 2 : 1) : 4
        try target.withMutablePlanes { targets in
            source.withPlanes { sources in
                for (layout, (from, to)) in zip(source.planes, zip(sources, targets)) {
                    if sampleBytes == 1 {
                        LibYUV.permute(from, layout, into: to, self)
                    } else {
                        PixelKernels.permute(from, layout, into: to, self, sampleBytes: sampleBytes)
                    }
                }
            }
        }
    }
}
