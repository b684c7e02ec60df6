// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
package import ObscuraImaging
package import ObscuraMedia

extension StillRecipe {
    private static let mostEdits = 64
    /// Maximum number of eyes, over all edits.
    private static let mostParts = 64
    /// Maximum number of enhancements, each of which analyzes all pixels.
    private static let mostEnhancements = 4
    /// Maximum size as JSON, in bytes; no valid recipe reaches it.
    package static let mostBytes = 64 << 10

    /// - Throws: ``ObscuraError/Code/invalidRequest`` for an invalid recipe.
    package func check(for name: String) throws(ObscuraError) {
        func refuse(_ reason: String, _ advice: String) -> ObscuraError {
            ObscuraError(.library, .invalidRequest, subject: "edits of \(name)", reason: reason, advice: advice)
        }
        guard edits.count <= Self.mostEdits else {
            throw refuse("there are too many edits (\(edits.count))", "Use at most \(Self.mostEdits) edits.")
        }
        var (parts, enhancements) = (0, 0)
        for edit in edits {
            switch edit {
            case .crop(let part):
                guard part.isInside else { throw refuse("a crop area exceeds the photo", "Use values from 0 to 1.") }
            case .straighten(let degrees):
                guard degrees.isFinite, abs(degrees) <= 45 else {
                    throw refuse("an edit straightens by more than 45 degrees", "Add a rotation by 90 degrees.")
                }
            case .redEye(let eyes):
                parts += eyes.count
                guard eyes.allSatisfy(\.isInside) else {
                    throw refuse("a red eye is not inside the photo", "Use values from 0 to 1.")
                }
            case .rotate(.up): throw refuse("an edit rotates by 0 degrees", "Use the rotation right, down or left.")
            case .enhance, .autoEnhance: enhancements += 1
            case .rotate, .mirror: break
            }
        }
        guard parts <= Self.mostParts else {
            throw refuse("there are too many red eyes (\(parts))", "Use at most \(Self.mostParts) red eyes.")
        }
        guard enhancements <= Self.mostEnhancements else {
            throw refuse("there are too many enhancements (\(enhancements))", "Use at most \(Self.mostEnhancements).")
        }
    }

    /// Reads a recipe from a file's content; nil if it is malformed or invalid.
    package init?(json: [UInt8]) {
        guard let recipe = try? JSONDecoder().decode(StillRecipe.self, from: Data(json)), !recipe.edits.isEmpty,
            (try? recipe.check(for: "recipe")) != nil
        else { return nil }
        self = recipe
    }

    package func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return Array(try encoder.encode(self))
    }
}

extension UnitRect {
    /// Tolerance for the rounding errors of pages.
    private static let tolerance = 1e-6

    fileprivate var isInside: Bool {
        let most = 1 + Self.tolerance
        return [x, y, width, height].allSatisfy(\.isFinite) && x >= -Self.tolerance && y >= -Self.tolerance
            && width > 0 && height > 0 && x + width <= most && y + height <= most
    }
}
