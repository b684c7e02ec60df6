// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The edits of a photo, in order. The original is not changed; all edits are applied together, at full size.
///
/// ```swift
/// var recipe = StillRecipe()
/// recipe.edits = [.straighten(degrees: 2.5), .crop(UnitRect(centred: 4, to: 3, in: photo.size))]
/// recipe.edits.append(.autoEnhance)
/// let edited = try recipe.apply(to: photo)
/// ```
///
/// Each pixel of the result is computed directly from the original, regardless of the number of edits. Crops, rotations
/// and mirroring move pixels without changing them. Straightening interpolates each pixel from 16 pixels of the
/// original (R. Keys, "Cubic convolution interpolation", 1981).
public struct StillRecipe: Sendable, Hashable, Codable {
    /// The edits, in order.
    public var edits: [StillEdit]

    /// Creates a recipe; by default without edits.
    public init(_ edits: [StillEdit] = []) {
        self.edits = edits
    }

    /// Returns the size of the result for a picture of `size`, in pixels.
    public func size(of size: PixelSize) -> PixelSize {
        geometry(of: size).size
    }

    /// Applies the edits to a picture.
    ///
    /// Thread-safe; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - picture: any uncompressed picture, which is not modified.
    ///   - pool: the pool for the result; nil for new memory.
    /// - Returns: `picture` itself if nothing changes. Crops, rotations and mirroring alone keep the format of the
    ///   picture (see ``ImageTransformer/result(of:for:size:colorSpace:)``); all other edits return BGRA.
    /// - Throws: as ``ImageTransformer/transform(_:_:in:context:)``.
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

    /// Returns the same edits, with values for those that depend on the picture.
    private func resolved(for picture: PixelBuffer, in pool: PixelBufferPool?) throws -> StillRecipe {
        try edits.reduce(into: StillRecipe()) { recipe, edit in
            recipe.edits.append(
                edit == .autoEnhance ? .enhance(try .automatic(for: recipe.apply(to: picture, in: pool))) : edit)
        }
    }

    private func bgra(_ picture: PixelBuffer, in pool: PixelBufferPool?) throws -> PixelBuffer {
        var request = ImageRequest(pixelFormat: .bgra)
        request.chroma = .bilinear
        return try ImageTransformer.transform(picture, request, in: pool)
    }
}
