// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Obscura
internal import ObscuraLibrary
internal import ObscuraWeb

/// The routes of a picker, in addition to those of the Studio's camera and of its ribbon.
struct PickerRoutes: Sendable {
    let session: PickerSession

    func add(to router: Router<WebContext>) {
        router.get("api/picker") { _, _ in try Response.json(session.description) }
        router.put("api/picker/items") { request, _ in
            try await session.select(try await request.object(NameList.self).names)
            return try Response.json(ItemList(items: await session.studio.items(session.studio.recentMedia.names)))
        }
        router.post("api/picker/items/{name}/trim") { request, context in
            let part = try await request.object(TrimRequest.self)
            let item = try await session.trim(try context.parameter("name"), from: part.from, to: part.to)
            return try Response.json(item, status: .created)
        }
        router.post("api/picker/finish") { _, _ in
            try await session.finish()
            return Response(status: .noContent)
        }
        router.post("api/picker/cancel") { _, _ in
            try session.cancel()
            return Response(status: .noContent)
        }
        router.get("api/picker/overlay") { request, _ in
            guard let overlay = session.overlay else { throw ObscuraError.noSuchItem("overlay") }
            return FileResponse.make(
                overlay.file.file, contentType: overlay.contentType, for: request, download: nil)
        }
        addAdding(to: router)
        addLibrary(to: router)
    }

    private func addAdding(to router: Router<WebContext>) {
        router.post("api/picker/files") { request, _ in
            guard session.description.sources.contains(.disk) else { throw Self.notAccepted(.disk) }
            let name = try request.text("name")
            let origin = PickerSession.Origin(source: .disk, original: name)
            let item = try await session.add(named: name, from: origin) { try await $0.write(request) }
            return try Response.json(item, status: .created)
        }
        router.post("api/picker/addresses") { request, _ in
            guard session.description.sources.contains(.network) else { throw Self.notAccepted(.network) }
            let address = try await request.object(AddressRequest.self).address
            return try Response.json(try await session.add(fromAddress: address), status: .created)
        }
        router.get("api/picker/addresses") { _, _ in
            try Response.json(DownloadList(downloads: session.downloads.progress))
        }
        router.delete("api/picker/addresses") { _, _ in
            session.downloads.stop()
            return Response(status: .noContent)
        }
        router.post("api/picker/library") { request, _ in
            let path = try await request.object(LibraryPathRequest.self).path
            return try Response.json(try await session.add(fromLibrary: path), status: .created)
        }
    }

    private func addLibrary(to router: Router<WebContext>) {
        router.get("api/picker/library") { request, _ in
            guard let library = session.library else { throw Self.notAccepted(.library) }
            let query = request.uri.queryParameters
            return try Response.json(
                try await library.page(
                    matching: query["text"].map(String.init), after: query["after"].map(String.init),
                    limit: try request.number("limit", 1...MediaFolder.longestPage) ?? 60))
        }
        router.get("api/picker/library/thumbnail") { request, _ in
            guard let library = session.library else { throw Self.notAccepted(.library) }
            return Response(
                status: .ok, headers: [.contentType: "image/png"],
                body: ResponseBody(
                    byteBuffer: ByteBuffer(bytes: try await library.thumbnail(of: try request.text("path")))))
        }
    }

    private static func notAccepted(_ source: MediaPickerConfiguration.Source) -> ObscuraError {
        ObscuraError(
            .studio, .notAllowed, subject: "source \(source.rawValue)",
            reason: "the program does not accept this source")
    }
}

/// An item of the photo library to add.
struct LibraryPathRequest: RequestObject, Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case path
    }

    var path: String
}

/// The downloads in progress, oldest first.
struct DownloadList: Codable, Sendable {
    var downloads: [PickerDownloads.Progress]
}

/// An address of the web to add.
struct AddressRequest: RequestObject, Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case address
    }

    var address: String
}
