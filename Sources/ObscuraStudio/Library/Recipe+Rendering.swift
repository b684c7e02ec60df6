// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension Recipe {
    /// How large a picture of `size` comes out.
    func size(of size: PixelSize) -> PixelSize {
        StillRecipe(edits.compactMap(\.geometric)).size(of: size)
    }

    /// The edited picture, at full size. Light and colours are judged by what the edits before leave of it.
    ///
    /// Any thread; blocks for as long as it takes.
    func apply(to picture: PixelBuffer) throws -> PixelBuffer {
        var recipe = StillRecipe()
        for edit in edits {
            if let geometric = edit.geometric {
                recipe.edits.append(geometric)
            } else {
                recipe.edits.append(.enhance(try .automatic(for: recipe.apply(to: picture))))
            }
        }
        return try recipe.apply(to: picture)
    }
}

extension Recipe.Edit {
    /// As the library takes it; nil for an enhancement, which needs the picture.
    fileprivate var geometric: StillEdit? {
        switch self {
        case .crop(let part): .crop(UnitRect(part))
        case .rotate(.right): .rotate(.right)
        case .rotate(.down): .rotate(.down)
        case .rotate(.left): .rotate(.left)
        case .mirror: .mirror
        case .straighten(let degrees): .straighten(degrees: degrees)
        case .redEye(let parts): .redEye(parts.map(UnitRect.init))
        case .enhance: nil
        }
    }
}

extension UnitRect {
    fileprivate init(_ part: Recipe.Part) {
        self.init(x: part.x, y: part.y, width: part.width, height: part.height)
    }
}
