// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

extension MediaFolder {
    /// The edits of a photo; nil where there are none.
    nonisolated(nonsending) func recipe(of text: String) async throws -> StillRecipe? {
        try await run(about: text) { [self] in
            let name = try item(text)
            guard directory.status(of: name.text) != nil else { throw ObscuraError.noSuchItem(text) }
            return storedRecipe(of: name)
        }
    }

    /// Keeps the edits of a photo beside it, in place of those that were there; the photo stays as it is.
    ///
    /// - Parameter recipe: nil, and one without edits, takes them away.
    /// - Returns: the photo with them.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for what makes no sense, and for movies.
    nonisolated(nonsending) func setRecipe(_ recipe: StillRecipe?, of text: String) async throws -> MediaItem {
        try await run(about: text) { [self] in
            let name = try photo(text)
            guard directory.status(of: name.text) != nil else { throw ObscuraError.noSuchItem(text) }
            if let recipe, !recipe.edits.isEmpty {
                try recipe.check(for: text)
                guard name.recipe.utf8.count <= MediaName.longest else {
                    throw ObscuraError(
                        .studio, .invalidRequest, subject: text, reason: "its name is too long for edits beside it",
                        advice: "Give the file a shorter name.")
                }
                try directory.write(try recipe.json(), to: name.recipe)
            } else if directory.isTaken(name.recipe) {
                try directory.remove(name.recipe)
            }
            return try describe(name)
        }
    }

    /// Writes the edited photo as a new file beside it, `NAME-edited.jpg`, with the metadata of the first.
    ///
    /// - Parameter kind: nil for that of the photo.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for movies.
    nonisolated(nonsending) func export(_ text: String, as kind: StillInfo.Kind? = nil) async throws -> MediaItem {
        let (source, recipe) = try await run(about: text) { [self] in
            let name = try photo(text)
            let recipe = storedRecipe(of: name)
            return (try openPicture(name, recipe: recipe), recipe)
        }
        return try await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
            try await run(about: text, isPainting: true) { [self] in
                try export(try photo(text), source, recipe, as: kind)
            }
        }
    }

    /// Blocks.
    private func export(
        _ name: MediaName, _ source: PictureSource, _ recipe: StillRecipe?, as kind: StillInfo.Kind?
    ) throws -> MediaItem {
        var still = try still(of: source)
        if let recipe { still.picture = try recipe.apply(to: still.picture) }
        let format: StillFormat = (kind ?? (name.type == .png ? .png : .jpeg)) == .png ? .png() : .jpeg(quality: 95)
        let bytes = try still.encoded(as: format)
        let draft = try directory.makeDraft()
        try directory.append(bytes, to: draft, for: name.text)
        let ending = format.kind == .png ? MediaFileType.png.ending : MediaFileType.jpeg.ending
        return try describe(try publish(draft, stem: "\(name.stem)-edited", ending: ending))
    }

    /// The name of a photo.
    func photo(_ text: String) throws(ObscuraError) -> MediaName {
        let name = try item(text)
        guard name.type.kind == .photo else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: text, reason: "it is a movie, and only photos are edited",
                advice: "Choose a photo.")
        }
        return name
    }

    /// What stands beside a photo. What is broken, too long, or no file of its own counts as none. Blocks.
    func storedRecipe(of name: MediaName) -> StillRecipe? {
        guard name.type.kind == .photo, let file = try? directory.open(name.recipe),
            let bytes = try? file.whole(upTo: StillRecipe.mostBytes)
        else { return nil }
        return StillRecipe(json: bytes)
    }

    /// Gives a draft the first free name. Blocks.
    func publish(_ draft: DraftFile, stem: String, ending: String) throws(ObscuraError) -> MediaName {
        while true {
            let name = try uniqueNames.claim(stem: stem, ending: ending)
            // Another process may have created the file meanwhile. No name is claimed twice, so this ends.
            if try directory.give(name.text, to: draft) { return name }
        }
    }
}
