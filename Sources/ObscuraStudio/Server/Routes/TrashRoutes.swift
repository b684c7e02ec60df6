// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
internal import NIOCore
internal import Obscura
internal import ObscuraLibrary
internal import ObscuraWeb

/// The routes for deleted photos and movies.
struct TrashRoutes: Sendable {
    let studio: Studio

    func add(to router: Router<WebContext>) {
        router.get("api/trash") { _, _ in
            try Response.json(DeletedList(items: try await studio.folder.trashedItems().map(Deleted.init)))
        }
        router.delete("api/trash") { _, _ in
            try await studio.emptyTrash()
            return Response(status: .noContent)
        }
        router.delete("api/trash/{id}") { _, context in
            try await studio.deleteTrashed(try context.parameter("id"))
            return Response(status: .noContent)
        }
        router.post("api/trash/{id}/restore") { _, context in
            try Response.json(try await studio.restore(try context.parameter("id")))
        }
        router.get("api/trash/{id}/picture.jpg") { request, context in
            let size = try request.box(sidesFrom: 1) ?? ThumbnailSize.extraLarge.size
            let picture = try await studio.folder.picture(ofTrashed: try context.parameter("id"), fitting: size)
            return Response.jpeg(ByteBuffer(bytes: picture))
        }
    }
}

/// A photo or movie in the trash.
struct Deleted: Codable, Sendable {
    let id: String
    /// The file name that it had.
    let name: String
    let kind: MediaItem.Kind
    /// The time of deletion; ISO 8601.
    let deleted: String

    init(_ item: TrashedItem) throws(ObscuraError) {
        (id, name, deleted) = (item.id, item.path, item.deleted.iso8601)
        kind = try MediaName(item.path).type.kind
    }
}

/// The photos and movies in the trash, most recently deleted first.
struct DeletedList: Codable, Sendable {
    var items: [Deleted]
}
