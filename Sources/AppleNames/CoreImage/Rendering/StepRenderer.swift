// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura
internal import ObscuraImaging
internal import ObscuraMedia

/// The execution of the steps of an image. Successive steps are combined into one request, as far as possible.
struct StepRenderer {
    private var picture: PixelBuffer
    /// The steps that are not executed yet.
    private var request = ImageRequest()
    private let pool: PixelBufferPool?

    init(_ picture: PixelBuffer, in pool: PixelBufferPool?) {
        self.picture = picture
        self.pool = pool
    }

    mutating func add(_ step: ImageStep) throws {
        switch step {
        case .crop(let part): try crop(to: part)
        case .orient(let turn, let isMirrored): try orient(turn, isMirrored: isMirrored)
        case .scale(let size):
            if request.size != nil { try execute() }
            request.size = size
            request.fit = .stretch
        case .effect(let effect, let isForRGB): try apply(effect, isForRGB: isForRGB)
        case .edit(let edit):
            try execute()
            picture = try StillRecipe([edit]).apply(to: picture, in: pool)
        case .overlay(let x, let y, let render):
            guard let layer = try render() else { return }
            try apply(.overlay(layer, at: .at(x: x, y: y)), isForRGB: false)
        case .warp(let warp):
            request.pixelFormat = .bgra
            try execute()
            picture = try warp.apply(to: picture, in: pool)
        }
    }

    /// Executes the steps, and converts the picture.
    ///
    /// - Parameters:
    ///   - format: the format of the result; nil for a format similar to that of the source.
    ///   - colorSpace: the color space of YUV; nil for that of the source.
    mutating func finish(_ format: PixelFormat?, _ colorSpace: ColorSpace?) throws -> PixelBuffer {
        request.pixelFormat = format
        request.colorSpace = colorSpace
        try execute()
        return picture
    }

    /// Executes the pending steps.
    private mutating func execute() throws {
        picture = try ImageTransformer.transform(picture, request, in: pool)
        request = ImageRequest()
    }

    /// Whether a geometric step can still be added to the request: it precedes effects and scaling.
    private var isOpenForGeometry: Bool { request.effects.isEmpty && request.size == nil }

    private mutating func crop(to part: PixelRect) throws {
        if !isOpenForGeometry { try execute() }
        let whole = PictureGeometry(ImageRequest(), of: picture.size)
        request.crop = PictureGeometry(request, of: picture.size).place(part, in: whole)
    }

    private mutating func orient(_ turn: Orientation, isMirrored: Bool) throws {
        if !isOpenForGeometry { try execute() }
        // Mirroring reverses the direction of later rotations.
        let next = request.isMirrored ? Orientation(degrees: -turn.degrees) : turn
        request.orientation = request.orientation.followed(by: next)
        request.isMirrored = request.isMirrored != isMirrored
    }

    private mutating func apply(_ effect: VideoEffect, isForRGB: Bool) throws {
        if request.size != nil { try execute() }
        if isForRGB, picture.format.isYUV {
            request.pixelFormat = .bgra
            try execute()
        }
        request.effects.append(effect)
    }
}

extension CIImage {
    /// Renders the image on the calling thread.
    ///
    /// - Parameters:
    ///   - part: a part of the area of the image; nil for all of it.
    ///   - format: the format of the result; nil for a format similar to that of the source.
    ///   - colorSpace: the color space of YUV; nil for that of the source.
    /// - Returns: a buffer of the pool, or a new buffer; nil for an empty image.
    /// - Throws: the errors of `ImageTransformer.transform`, `JPEGDecoder.decode` and `PNGDecoder.decode`.
    package func rendered(as format: PixelFormat? = nil) throws -> PixelBuffer? {
        try rendered(nil, as: format)
    }

    func rendered(
        _ part: ImageArea?, as format: PixelFormat?, _ colorSpace: ColorSpace? = nil, in pool: PixelBufferPool? = nil
    ) throws -> PixelBuffer? {
        guard let area, let source = try source?.picture() else { return nil }
        var renderer = StepRenderer(source, in: pool)
        for step in steps { try renderer.add(step) }
        if let part, part != area { try renderer.add(.crop(area.pixels(of: part))) }
        let picture = try renderer.finish(format, colorSpace)
        // The buffer of a camera must not be held by a picture that an app may keep.
        return picture.isIdentical(to: source) ? try picture.copy(in: pool) : picture
    }
}
