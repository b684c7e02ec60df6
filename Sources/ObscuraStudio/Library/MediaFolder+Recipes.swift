// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

extension MediaFolder {
    /// Returns the edits of a photo; nil if there are none.
    nonisolated(nonsending) func recipe(of text: String) async throws -> StillRecipe? {
        try await run(about: text) { [self] in
            let name = try item(text)
            guard directory.status(of: name.text) != nil else { throw ObscuraError.noSuchItem(text) }
            return storedRecipe(of: name)
        }
    }

    /// Saves the edits of a photo in a separate file, replacing earlier ones; the photo itself does not change.
    ///
    /// - Parameter recipe: the edits; nil or a recipe without edits deletes those that exist.
    /// - Returns: the photo with the new edits.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for an invalid recipe, and for movies.
    nonisolated(nonsending) func setRecipe(_ recipe: StillRecipe?, of text: String) async throws -> MediaItem {
        try await run(about: text) { [self] in
            let name = try photo(text)
            guard directory.status(of: name.text) != nil else { throw ObscuraError.noSuchItem(text) }
            if let recipe, !recipe.edits.isEmpty {
                try recipe.check(for: text)
                guard name.recipe.utf8.count <= MediaName.longest else {
                    throw ObscuraError(
                        .studio, .invalidRequest, subject: text,
                        reason: "the file name is too long to store edits beside the file",
                        advice: "Give the file a shorter name.")
                }
                try directory.write(try recipe.json(), to: name.recipe)
            } else if directory.isTaken(name.recipe) {
                try directory.remove(name.recipe)
            }
            return try describe(name)
        }
    }

    /// Writes the edited photo to a new file, `NAME-edited.jpg`, with the metadata of the original. A photo that is too
    /// large to be edited in memory is reduced to a half, a quarter or an eighth of its sides.
    ///
    /// - Parameter kind: the format; nil for that of the photo.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for movies.
    nonisolated(nonsending) func export(_ text: String, as kind: StillInfo.Kind? = nil) async throws -> MediaItem {
        let source = try await run(about: text) { [self] in
            let name = try photo(text)
            return try openReduced(name, recipe: storedRecipe(of: name))
        }
        return try await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
            try await run(about: text, isPainting: true) { [self] in
                try export(try photo(text), source, as: kind)
            }
        }
    }

    /// Blocks.
    private func export(
        _ name: MediaName, _ source: PictureSource, as kind: StillInfo.Kind?
    ) throws -> MediaItem {
        let still = try source.editedStill()
        let format: StillFormat = (kind ?? (name.type == .png ? .png : .jpeg)) == .png ? .png() : .jpeg(quality: 95)
        let bytes = try still.encoded(as: format)
        let draft = try directory.makeDraft()
        try directory.append(bytes, to: draft, for: name.text)
        let ending = format.kind == .png ? MediaFileType.png.ending : MediaFileType.jpeg.ending
        return try describe(try publish(draft, stem: "\(name.stem)-edited", ending: ending))
    }

    /// Blocks.
    private func openReduced(_ name: MediaName, recipe: StillRecipe?) throws(ObscuraError) -> PictureSource {
        do throws(ObscuraError) {
            return try openPicture(name, recipe: recipe)
        } catch {
            guard error.code == .tooLarge, let size = try describe(name).pixelSize else { throw error }
            for divisor in [2, 4, 8] {
                let box = PixelSize(width: max(1, size.width / divisor), height: max(1, size.height / divisor))
                if let source = try? openPicture(name, recipe: recipe, fitting: box) { return source }
            }
            throw error
        }
    }

    /// Returns the name of a photo; throws for movies.
    func photo(_ text: String) throws(ObscuraError) -> MediaName {
        let name = try item(text)
        guard name.type.kind == .photo else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: text, reason: "it is a movie, and only photos can be edited",
                advice: "Choose a photo.")
        }
        return name
    }

    /// Returns the saved recipe of a photo. A recipe that is invalid, too long or not a regular file counts as none.
    /// Blocks.
    func storedRecipe(of name: MediaName) -> StillRecipe? {
        guard name.type.kind == .photo, let file = try? directory.open(name.recipe),
            let bytes = try? file.whole(upTo: StillRecipe.mostBytes)
        else { return nil }
        return StillRecipe(json: bytes)
    }

    /// Renames a draft to the first unused name, never replacing another file. Blocks.
    func publish(_ draft: DraftFile, stem: String, ending: String) throws(ObscuraError) -> MediaName {
        while true {
            let name = try uniqueNames.claim(stem: stem, ending: ending)
            // Another process may have created the file in the meantime; since each name is claimed only once, the loop
            // ends.
            if try directory.give(name.text, to: draft) { return name }
        }
    }
}
