// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
internal import NIOCore
internal import Obscura
internal import ObscuraLibrary
internal import ObscuraWeb

/// The routes for the folder of photos and movies, for the ribbon of this visit, and for the files themselves.
struct LibraryRoutes: Sendable {
    let studio: Studio

    func add(to router: Router<WebContext>) {
        addRibbon(to: router)
        addFolder(to: router)
    }

    /// Adds the routes that a picker has as well: the ribbon, its items, their edits and their files.
    func addRibbon(to router: Router<WebContext>) {
        addVisit(to: router)
        addItems(to: router)
        addFiles(to: router)
    }

    private func addVisit(to router: Router<WebContext>) {
        router.get("api/visit") { _, _ in
            try Response.json(ItemList(items: await studio.items(studio.recentMedia.names)))
        }
        router.put("api/visit") { request, _ in
            let names = try await request.object(NameList.self).names
            try await studio.changing { try studio.recentMedia.reorder(names) }
            return try Response.json(ItemList(items: await studio.items(studio.recentMedia.names)))
        }
        router.delete("api/visit/{name}") { _, context in
            let name = try context.parameter("name")
            _ = try await studio.changing { studio.recentMedia.remove(name) }
            return Response(status: .noContent)
        }
    }

    private func addItems(to router: Router<WebContext>) {
        router.get("api/library/{name}") { _, context in
            try Response.json(try await studio.folder.item(named: try context.parameter("name"), withMetadata: true))
        }
        router.put("api/library/{name}/recipe") { request, context in
            let recipe = try await request.object(RecipeRequest.self).recipe
            return try Response.json(try await studio.setRecipe(recipe, of: try context.parameter("name")))
        }
    }

    private func addFolder(to router: Router<WebContext>) {
        router.get("api/search") { request, _ in
            let offset = try request.number("offset", 0...Int.max) ?? 0
            let limit = try request.number("limit", 1...MediaFolder.longestPage) ?? 60
            let (items, total) = try await studio.index.items(
                matching: try Self.search(request), offset: offset, limit: limit)
            return try Response.json(ItemPage(items: items, total: total))
        }
        router.get("api/places") { request, _ in
            try Response.json(PlaceList(places: try await studio.index.places(matching: try Self.search(request))))
        }
        router.get("api/months") { request, _ in
            try Response.json(MonthList(months: try await studio.index.months(matching: try Self.search(request))))
        }
        router.get("api/library") { request, _ in
            let offset = try request.number("offset", 0...Int.max) ?? 0
            let limit = try request.number("limit", 1...MediaFolder.longestPage) ?? 60
            let (items, total) = try await studio.folder.items(offset: offset, limit: limit)
            return try Response.json(ItemPage(items: items, total: total))
        }
        router.delete("api/library/{name}") { request, context in
            let name = try context.parameter("name")
            guard request.uri.queryParameters["permanently"] != "1" else {
                try await studio.delete(name)
                return Response(status: .noContent)
            }
            return try Response.json(Deleted(try await studio.moveToTrash(name)))
        }
        router.post("api/library/{name}/export") { request, context in
            let kind = try await request.object(ExportRequest.self).format
            let item = try await studio.folder.export(try context.parameter("name"), as: kind)
            studio.noteLibraryChange()
            return try Response.json(item, status: .created)
        }
        router.post("api/library/{name}/trim") { request, context in
            let part = try await request.object(TrimRequest.self)
            let item = try await studio.folder.trim(try context.parameter("name"), from: part.from, to: part.to)
            studio.noteLibraryChange()
            return try Response.json(item, status: .created)
        }
        router.post("api/uploads") { request, _ in
            guard studio.allowsSources else { throw Studio.noSources }
            let name = try request.text("name")
            let upload = try await studio.folder.store(name: name, maximum: MediaUpload.mostBytes)
            let item = try await upload.receive(request)
            studio.noteLibraryChange()
            return try Response.json(item, status: .created)
        }
    }

    /// Returns the conditions in the query.
    private static func search(_ request: Request) throws(ObscuraError) -> StudioIndex.Search {
        let query = request.uri.queryParameters
        var search = StudioIndex.Search(
            text: query["text"].map(String.init), month: query["month"].map(String.init),
            box: query["box"].map(String.init))
        if let kind = query["kind"] {
            guard let known = MediaItem.Kind(rawValue: String(kind)) else {
                throw ObscuraError(.studio, .invalidRequest, subject: "kind", reason: "it must be photo or movie")
            }
            search.kind = known
        }
        return search
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
            return Response.jpeg(ByteBuffer(bytes: picture))
        }
    }
}

/// The months with photos and movies, latest first.
struct MonthList: Codable, Sendable {
    var months: [LibraryMonth]
}

/// The areas with photos and movies, those with most first.
struct PlaceList: Codable, Sendable {
    var places: [LibraryPlace]
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

/// The part of a movie to keep, in seconds.
struct TrimRequest: RequestObject, Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case from, to
    }

    var from: Double
    var to: Double?
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

extension MediaUpload {
    /// Maximum size of an uploaded file, in bytes.
    static let mostBytes: Int64 = 4 << 30

    /// Appends the body of a request.
    func write(_ request: Request) async throws {
        for try await part in request.body { try await write(Array(part.readableBytesView)) }
    }

    /// Writes the body of a request, and completes the upload.
    func receive(_ request: Request) async throws -> MediaItem {
        do {
            try await write(request)
            return try await finish()
        } catch {
            await abort()
            throw error
        }
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

    /// Returns a parameter of the query.
    func text(_ name: String) throws(ObscuraError) -> String {
        guard let text = uri.queryParameters[Substring(name)] else {
            throw ObscuraError(.studio, .invalidRequest, subject: name, reason: "this query parameter is missing")
        }
        return String(text)
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
