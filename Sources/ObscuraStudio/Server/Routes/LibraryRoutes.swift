// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
internal import NIOCore
internal import Obscura
internal import ObscuraWeb

/// The routes for the folder of photos and movies, for the ribbon of this visit, and for the files themselves.
struct LibraryRoutes: Sendable {
    let studio: Studio

    func add(to router: Router<WebContext>) {
        addVisit(to: router)
        addItems(to: router)
        addFiles(to: router)
    }

    private func addVisit(to router: Router<WebContext>) {
        router.get("api/visit") { _, _ in
            try Response.json(ItemList(items: await studio.items(studio.recentMedia.names)))
        }
        router.put("api/visit") { request, _ in
            try studio.recentMedia.reorder(try await request.object(NameList.self).names)
            return try Response.json(ItemList(items: await studio.items(studio.recentMedia.names)))
        }
        router.delete("api/visit/{name}") { _, context in
            studio.recentMedia.remove(try context.parameter("name"))
            return Response(status: .noContent)
        }
    }

    private func addItems(to router: Router<WebContext>) {
        router.get("api/library") { request, _ in
            let offset = try request.number("offset", 0...Int.max) ?? 0
            let limit = try request.number("limit", 1...MediaFolder.longestPage) ?? 60
            let (items, total) = try await studio.folder.items(offset: offset, limit: limit)
            return try Response.json(ItemPage(items: items, total: total))
        }
        router.get("api/library/{name}") { _, context in
            try Response.json(try await studio.folder.item(named: try context.parameter("name"), withMetadata: true))
        }
        router.delete("api/library/{name}") { _, context in
            let name = try context.parameter("name")
            try await studio.folder.delete(name)
            studio.recentMedia.remove(name)
            studio.noteLibraryChange()
            return Response(status: .noContent)
        }
        router.put("api/library/{name}/recipe") { request, context in
            let recipe = try await request.object(RecipeRequest.self).recipe
            let item = try await studio.folder.setRecipe(recipe, of: try context.parameter("name"))
            studio.noteLibraryChange()
            return try Response.json(item)
        }
        router.post("api/library/{name}/export") { request, context in
            let kind = try await request.object(ExportRequest.self).format
            let item = try await studio.folder.export(try context.parameter("name"), as: kind)
            return try Response.json(item, status: .created)
        }
    }

    private func addFiles(to router: Router<WebContext>) {
        router.get("media/{name}") { request, context in
            let file = try await studio.folder.open(try context.parameter("name"))
            let isSaved = request.uri.queryParameters["download"] == "1"
            return FileResponse.make(
                file.file, contentType: file.type?.contentType ?? "application/octet-stream", for: request,
                download: isSaved ? file.name : nil)
        }
        router.get("media/{name}/picture.jpg") { request, context in
            let picture = try await studio.folder.picture(
                of: try context.parameter("name"), fitting: try request.box(sidesFrom: 1),
                original: request.uri.queryParameters["original"] == "1")
            return Response(
                status: .ok, headers: [.contentType: "image/jpeg"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture)))
        }
        router.post("api/uploads") { request, _ in
            guard studio.allowsSources else { throw Studio.noSources }
            guard let name = request.uri.queryParameters["name"].map(String.init) else {
                throw ObscuraError(.studio, .invalidRequest, subject: "name", reason: "it is missing")
            }
            return try Response.json(try await upload(request, name), status: .created)
        }
    }

    /// Maximum size of an uploaded file, in bytes.
    private static let mostUploaded: Int64 = 4 << 30

    private func upload(_ request: Request, _ name: String) async throws -> MediaItem {
        let upload = try await studio.folder.store(name: name, maximum: Self.mostUploaded)
        do {
            for try await part in request.body { try await upload.write(Array(part.readableBytesView)) }
            return try await upload.finish()
        } catch {
            await upload.abort()
            throw error
        }
    }
}

/// A list of photos and movies.
struct ItemList: Codable, Sendable {
    var items: [MediaItem]
}

/// One page of the folder's list.
struct ItemPage: Codable, Sendable {
    var items: [MediaItem]
    /// Number of items in the whole folder.
    var total: Int
}

/// File names, in order.
struct NameList: RequestObject, Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case names
    }

    var names: [String]
}

/// The format in which an edited photo is exported; nil keeps the photo's own.
struct ExportRequest: RequestObject, Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case format
    }

    var format: StillInfo.Kind?
}

/// The edits of a photo.
struct RecipeRequest: RequestObject {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case edits
    }

    let recipe: StillRecipe

    init(from decoder: any Decoder) throws {
        recipe = try StillRecipe(from: decoder)
    }
}

extension Request {
    /// Returns an integer parameter of the query; nil if it is absent.
    func number(_ name: String, _ allowed: ClosedRange<Int>) throws(ObscuraError) -> Int? {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        guard let number = Int(text), allowed.contains(number) else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: name,
                reason: "it must be a whole number from \(allowed.lowerBound) to \(allowed.upperBound)")
        }
        return number
    }

    /// Returns the box to fit a picture in, from `width` and `height` of the query. If only one is given, the other has
    /// no limit of its own. Nil if both are absent.
    func box(sidesFrom smallest: Int) throws(ObscuraError) -> PixelSize? {
        let largest = PictureRequest.largestSide
        let (width, height) = (try number("width", smallest...largest), try number("height", smallest...largest))
        if width == nil, height == nil { return nil }
        return PixelSize(width: width ?? largest, height: height ?? largest)
    }
}
