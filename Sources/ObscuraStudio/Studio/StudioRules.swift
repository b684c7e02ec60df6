// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// Limits for what users of the pages add. A picker has them; a Studio allows everything.
struct StudioRules: Sendable {
    var kinds = Set(MediaItem.Kind.allCases)
    /// The maximum number of items in the ribbon, with the movies that are being recorded.
    var mostItems = Int.max
    /// The maximum duration of a movie, in seconds.
    var longestMovie: Double?
    /// The permitted shapes of photos; empty for all.
    var ratios: [AspectRatio] = []
    /// Whether the pages may edit photos.
    var allowsEditing = true
    /// Whether the pages may rotate and mirror photos.
    var allowsRotation = true
    /// Whether the pages may add, remove and exchange cameras and microphones.
    var allowsDevices = true
    /// Whether each new photo is enhanced.
    var enhancesPhotos = false

    /// Whether new photos may get edits at once; see ``prepared(_:for:)``.
    var changesPhotos: Bool { enhancesPhotos || !ratios.isEmpty }

    /// - Throws: ``ObscuraError/Code/notAllowed`` for a kind that is not accepted.
    func check(_ kind: MediaItem.Kind, _ name: String? = nil) throws(ObscuraError) {
        guard kinds.contains(kind) else {
            throw ObscuraError(
                .studio, .notAllowed, subject: name ?? kind.rawValue,
                reason: "only \(kind == .photo ? "movies" : "photos") are accepted")
        }
    }

    /// - Throws: ``ObscuraError/Code/wrongState`` if there is no room for `count` more items.
    func checkRoom(for count: Int, beside present: Int) throws(ObscuraError) {
        guard count <= mostItems - present else {
            throw ObscuraError(
                .studio, .wrongState, subject: "selection",
                reason: "at most \(mostItems) \(mostItems == 1 ? "item is" : "items are") accepted",
                advice: "Remove a photo or movie first.")
        }
    }

    /// Adds the edits that a new photo needs.
    ///
    /// - Parameter size: the upright size without edits.
    func prepared(_ recipe: StillRecipe, for size: PixelSize) -> StillRecipe {
        var edits = recipe.edits
        let edited = recipe.size(of: size)
        if let first = ratios.first, !ratios.contains(where: { $0.matches(edited) }) {
            edits.append(.crop(first.centered(in: edited)))
        }
        let isEnhanced = edits.contains { if case .autoEnhance = $0 { true } else { false } }
        if enhancesPhotos, !isEnhanced { edits.append(.autoEnhance) }
        return StillRecipe(edits)
    }

    /// - Throws: ``ObscuraError/Code/notAllowed`` if pages may not replace the edits of a photo by these.
    func check(
        _ recipe: StillRecipe, insteadOf old: StillRecipe?, of name: String
    ) throws(ObscuraError) {
        guard allowsEditing else {
            throw ObscuraError(.studio, .notAllowed, subject: name, reason: "editing photos is not allowed here")
        }
        guard allowsRotation || Self.pose(recipe.edits) == Self.pose(old?.edits ?? []) else {
            throw ObscuraError(
                .studio, .notAllowed, subject: name, reason: "rotating or mirroring photos is not allowed here")
        }
    }

    /// The rotations and reflections together, as quarter turns clockwise followed by a reflection: several edits can
    /// have the same effect.
    private static func pose(_ edits: [StillEdit]) -> [Int] {
        var (quarters, isMirrored) = (0, false)
        for edit in edits {
            switch edit {
            case .rotate(let turn):
                let steps = [Orientation.up: 0, .right: 1, .down: 2, .left: 3][turn] ?? 0
                quarters += isMirrored ? -steps : steps
            case .mirror: isMirrored.toggle()
            default: break
            }
        }
        return [((quarters % 4) + 4) % 4, isMirrored ? 1 : 0]
    }

    /// - Throws: ``ObscuraError/Code/invalidRequest`` if a photo of this size has none of the permitted shapes.
    func check(_ size: PixelSize, of name: String) throws(ObscuraError) {
        guard ratios.isEmpty || ratios.contains(where: { $0.matches(size) }) else {
            let list = ratios.map { "\($0.width):\($0.height)" }.joined(separator: " or ")
            throw ObscuraError(
                .studio, .invalidRequest, subject: name, reason: "its aspect ratio must be \(list)",
                advice: "Crop the photo to this aspect ratio.")
        }
    }
}
