// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOPosix
internal import ObscuraWeb

/// The routes for the page, the playlists and the segments.
struct HLSRoutes: Sendable {
    static let nothingHere = RequestFailure(.notFound, "notFound", "There is nothing at this address.")

    let folder: HLSDirectory
    let lists: SegmentListWatch
    /// Whether viewers need a password; responses must then not be cached by proxies.
    let isPrivate: Bool
    let allowsOtherSites: Bool

    func add(to router: Router<WebContext>, page: PageResources) {
        router.get("/") { request, _ in try page.answer("index.html", request) }
        for name in page.names where name != "index.html" {
            router.get("/\(name)") { request, _ in try page.answer(name, request) }
        }
        router.get("/{name}") { request, context in
            guard let name = context.parameters.get("name").flatMap({ HLSName($0) }) else { throw Self.nothingHere }
            guard allowsOtherSites else { return try await answer(name, request) }
            var response: Response
            do {
                response = try await answer(name, request)
            } catch let failure as RequestFailure {
                // Without the fields below, the page could not read the reason.
                response = .error(failure.status, failure.error)
            }
            // The browser does not send stored credentials with these requests.
            response.headers[.accessControlAllowOrigin] = "*"
            if let policy = SecurityFields.resourcePolicy { response.headers[policy] = "cross-origin" }
            return response
        }
    }

    private func answer(_ name: HLSName, _ request: Request) async throws -> Response {
        name == .media ? try await media(request) : try await file(name, request)
    }

    private func file(_ name: HLSName, _ request: Request) async throws -> Response {
        let opened = try await NIOThreadPool.singleton.runIfActive { try? folder.opened?.open(name.text) }
        guard let opened else { return .notThereYet }
        return FileResponse.make(
            opened, contentType: name.contentType, for: request, cacheControl: name.cacheControl(isPrivate: isPrivate))
    }

    private func media(_ request: Request) async throws -> Response {
        switch try await lists.list(reaching: Self.number(request)) {
        case .list(let list):
            return Response(
                status: .ok,
                headers: [
                    .contentType: HLSName.media.contentType,
                    .cacheControl: HLSName.media.cacheControl(isPrivate: isPrivate),
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(string: list.servedText)))
        case .notThereYet: return .notThereYet
        case .tooFar: throw Self.tooFar
        case .tooLate:
            var response = Response.error(.serviceUnavailable, Self.tooLate)
            response.headers[.retryAfter] = "1"
            return response
        }
    }

    /// Returns the requested segment number (`_HLS_msn`); nil if absent.
    private static func number(_ request: Request) throws -> Int? {
        guard let values = try? RequestTarget(request.head.path ?? "").values(of: "_HLS_msn"), !values.isEmpty else {
            return nil
        }
        guard values.count == 1, let number = Int(values[0]), (0..<1 << 53).contains(number) else {
            throw RequestFailure(.badRequest, "invalidRequest", "_HLS_msn must be a single whole number.")
        }
        return number
    }

    private static let tooFar = RequestFailure(
        .badRequest, "invalidRequest", "The segment is too far in the future.", advice: "Reload the playlist.")
    private static let tooLate = APIError(
        code: "notYet", message: "The segment is late, or too many requests wait for it.", advice: "Try again.")
}

extension Response {
    /// The response before the broadcast has begun.
    fileprivate static var notThereYet: Response {
        var response = Response.error(
            .notFound,
            APIError(code: "notYet", message: "Not found, or not ready.", advice: "Try again in a second."))
        response.headers[.retryAfter] = "1"
        return response
    }
}
