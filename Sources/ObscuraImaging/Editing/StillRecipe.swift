// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The edits of a photo, one after the other: kept beside the original, and applied once, at full size.
///
/// ```swift
/// var recipe = StillRecipe()
/// recipe.edits = [.straighten(degrees: 2.5), .crop(UnitRect(centred: 4, to: 3, in: photo.size))]
/// recipe.edits.append(.autoEnhance)
/// let edited = try recipe.apply(to: photo)
/// ```
///
/// However many edits there are, each pixel of the result is taken out of the original once: crops, turns and mirrors
/// move pixels and change none; with a straightening among them, each comes from the sixteen pixels around its place
/// (R. Keys, "Cubic convolution interpolation", 1981).
public struct StillRecipe: Sendable, Hashable, Codable {
    /// In order.
    public var edits: [StillEdit]

    /// Nothing is changed, until edits are added.
    public init(_ edits: [StillEdit] = []) {
        self.edits = edits
    }

    /// How large a picture of `size` comes out, in pixels.
    public func size(of size: PixelSize) -> PixelSize {
        geometry(of: size).size
    }

    /// The edited picture.
    ///
    /// Any thread; blocks for as long as it takes.
    ///
    /// - Parameters:
    ///   - picture: any uncompressed picture; it is read only.
    ///   - pool: where the result lies; nil for memory of its own.
    /// - Returns: `picture` itself where nothing changes. Crops, turns and mirrors alone keep its format (as
    ///   ``ImageTransformer/result(of:for:size:colorSpace:)`` says); all other edits give BGRA.
    /// - Throws: as ``ImageTransformer/transform(_:_:in:)``.
    public func apply(to picture: PixelBuffer, in pool: PixelBufferPool? = nil) throws -> PixelBuffer {
        let geometry = geometry(of: picture.size)
        let enhancements = try resolved(for: picture, in: pool).edits.compactMap { edit in
            if case .enhance(let enhancement) = edit, enhancement != .none { enhancement } else { nil }
        }
        var picture = picture
        if !enhancements.isEmpty || !geometry.eyes.isEmpty || geometry.request == nil {
            picture = try bgra(picture, in: pool)
        }
        if !geometry.eyes.isEmpty { picture = try RedEye.mend(picture, geometry.eyes, in: pool) }
        if let request = geometry.request {
            picture = try ImageTransformer.transform(picture, request, in: pool)
        } else {
            picture = try PixelKernels.warp(picture, geometry.map, to: geometry.size, in: pool)
        }
        return try enhancements.reduce(picture) { try PixelKernels.enhance($0, $1, in: pool) }
    }

    private func geometry(of size: PixelSize) -> EditGeometry {
        edits.reduce(into: EditGeometry(size)) { geometry, edit in
            switch edit {
            case .crop(let part): geometry.crop(part)
            case .rotate(let orientation): geometry.rotate(orientation)
            case .mirror: geometry.mirror()
            case .straighten(let degrees): geometry.straighten(degrees)
            case .redEye(let parts): geometry.note(eyes: parts)
            case .enhance, .autoEnhance: break
            }
        }
    }

    /// The same edits, with values for those that depend on the picture.
    private func resolved(for picture: PixelBuffer, in pool: PixelBufferPool?) throws -> StillRecipe {
        try edits.reduce(into: StillRecipe()) { recipe, edit in
            recipe.edits.append(
                edit == .autoEnhance ? .enhance(try .automatic(for: recipe.apply(to: picture, in: pool))) : edit)
        }
    }

    private func bgra(_ picture: PixelBuffer, in pool: PixelBufferPool?) throws -> PixelBuffer {
        guard picture.format != .bgra else { return picture }
        var request = ImageRequest(pixelFormat: .bgra)
        request.chroma = .bilinear
        return try ImageTransformer.transform(picture, request, in: pool)
    }
}
