// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension ImagePlan {
    /// Runs the steps on the calling thread.
    ///
    /// - Returns: memory in `pool`, or new memory, never the source's; but `source` itself if there are no steps.
    func run(on source: PixelBuffer, in pool: PixelBufferPool?) throws -> PixelBuffer {
        guard !isIdentity else {
            var same = source
            if source.format.isYUV { same.colorSpace = colorSpace }
            return same
        }
        var picture = source
        picture.lease = nil
        for (index, step) in steps.enumerated() {
            let isLast = index == steps.count - 1
            picture = try StepRunner(isLast: isLast, pool: pool).run(step, on: picture)
        }
        picture.colorSpace = colorSpace
        return picture
    }
}

/// Memory for results between two steps: bounded, and reused for the next picture.
private let scratch = PixelBufferPool(capacity: 4)

/// Larger pictures do not use the scratch pool: this is 3840x2160 at four bytes per pixel.
private let scratchLimit = 3840 * 2160

/// The execution of one step of a plan.
private struct StepRunner {
    /// Whether the result is the final one: then it is in the pool and borrows nothing from the source.
    let isLast: Bool
    let pool: PixelBufferPool?

    func run(_ step: ImagePlan.Step, on source: PixelBuffer) throws -> PixelBuffer {
        switch step {
        case .crop(let rect):
            return source.view(of: rect)
        case .luma:
            return source.lumaView()
        case .expandRange:
            return try make(source.format, source.size, source.colorSpace) {
                try PixelKernels.expandRange(source, into: &$0)
            }
        case .copy:
            return try make(source.format, source.size, source.colorSpace) { try $0.copyPlanes(of: source) }
        case .planar(let format):
            let hasLuma = source.format.isSemiplanar
            return try make(format, source.size, source.colorSpace, lumaOf: hasLuma ? source : nil) {
                try LibYUV.separate(source, into: &$0)
            }
        case .interleave:
            return try make(.nv12, source.size, source.colorSpace, lumaOf: source) {
                try LibYUV.interleave(source, into: &$0)
            }
        case .scale(let size, let format) where format.isYUV:
            return try make(format, size, source.colorSpace) { try LibYUV.scale(source, into: &$0) }
        case .scale(let size, let format):
            return try make(format, size, source.colorSpace) { try PixelKernels.scale(source, into: &$0) }
        case .orient(let transform):
            return try make(source.format, transform.size(of: source.size), source.colorSpace) {
                try PixelKernels.orient(source, into: &$0, transform)
            }
        case .resample(let format, let chroma):
            return try make(format, source.size, source.colorSpace, lumaOf: source) {
                try PixelKernels.resampleChroma(of: source, into: &$0, isBilinear: chroma == .bilinear)
            }
        case .recolor(let space, let format):
            return try make(format, source.size, space) { try PixelKernels.best.recolor(source, into: &$0) }
        case .narrow(let format):
            return try make(format, source.size, source.colorSpace) { try PixelKernels.narrow(source, into: &$0) }
        case .toRGB(let format, let chroma):
            return try make(format, source.size, .sRGB) {
                try PixelKernels.best.convertToRGB(source, into: &$0, isBilinear: chroma == .bilinear)
            }
        case .fromRGB(let format, let space):
            return try make(format, source.size, space) { try PixelKernels.best.convertFromRGB(source, into: &$0) }
        case .swapRedAndBlue(let format):
            return try make(format, source.size, source.colorSpace) { try LibYUV.swapRedAndBlue(source, into: &$0) }
        case .reorder(let format):
            return try make(format, source.size, source.colorSpace) { try PixelKernels.reorder(source, into: &$0) }
        case .addAlpha(let format):
            return try make(format, source.size, source.colorSpace) { try LibYUV.addAlpha(source, into: &$0) }
        case .dropAlpha(let format):
            return try make(format, source.size, source.colorSpace) { try LibYUV.dropAlpha(source, into: &$0) }
        }
    }

    /// Makes a picture whose planes `fill` writes. With `lumaOf`, `fill` omits the luma plane, which is borrowed from
    /// that picture, or copied in the last step.
    private func make(
        _ format: PixelFormat, _ size: PixelSize, _ space: ColorSpace, lumaOf source: PixelBuffer? = nil,
        fill: (inout PixelBuffer) throws -> Void
    ) throws -> PixelBuffer {
        var target = try allocate(format, size, space)
        try fill(&target)
        guard let source else { return target }
        if isLast {
            try target.copyPlanes(of: source, upTo: 1)
            return target
        }
        return target.borrowingLuma(of: source)
    }

    private func allocate(_ format: PixelFormat, _ size: PixelSize, _ space: ColorSpace) throws -> PixelBuffer {
        let (width, height) = (size.width, size.height)
        if !isLast, width * height <= scratchLimit,
            let buffer = try? scratch.makeBuffer(
                format: format, width: width, height: height, colorSpace: space)
        {
            return buffer
        }
        // Allocated through a pool, which does not clear the memory: every byte is overwritten.
        let pool = (isLast ? pool : nil) ?? PixelBufferPool(capacity: 1)
        return try pool.makeBuffer(format: format, width: width, height: height, colorSpace: space)
    }
}
