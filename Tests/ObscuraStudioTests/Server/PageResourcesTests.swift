// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

@Suite struct PageResourcesTests {
    /// A folder with a page in it.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

        init() throws {
            try FileManager.default.createDirectory(
                at: url.appending(path: "assets"), withIntermediateDirectories: true)
            for (name, text) in [
                ("index.html", "<title>index</title>"), ("library.html", "<title>library</title>"),
                ("openapi.json", "{}"), ("assets/studio.js", "export {}"), ("assets/style.css", "a{}"),
                ("assets/icon.svg", "<svg/>"), ("assets/.hidden.js", "no"), ("assets/no.sh", "no"), (".env.json", "no"),
                ("assets/a b.js", "space"),
            ] {
                try Data(text.utf8).write(to: url.appending(path: name))
            }
        }

        deinit {
            try? FileManager.default.removeItem(at: url)
        }
    }

    @Test func onlyFilesThatABrowserIsToHaveAreTaken() throws {
        let folder = try Folder()
        #expect(
            try PageResources.studio(folder: folder.url.path).names == [
                "assets/a b.js", "assets/icon.svg", "assets/studio.js", "assets/style.css", "index.html",
                "library.html", "openapi.json",
            ])
    }

    @Test func theyAreServedWithTheirKindAndTheirTag() async throws {
        let folder = try Folder()
        let page = try PageResources.studio(folder: folder.url.path)
        // What happens to the folder later is of no account.
        try FileManager.default.removeItem(at: folder.url)
        try await TestServer.run(page: page) { server in
            for (path, type, body) in [
                ("/", "text/html; charset=utf-8", "<title>index</title>"),
                ("/library", "text/html; charset=utf-8", "<title>library</title>"),
                ("/openapi.json", "application/json; charset=utf-8", "{}"),
                ("/assets/studio.js", "text/javascript; charset=utf-8", "export {}"),
                ("/assets/style.css", "text/css; charset=utf-8", "a{}"),
                ("/assets/icon.svg", "image/svg+xml", "<svg/>"),
                ("/assets/a%20b.js", "text/javascript; charset=utf-8", "space"),
            ] {
                let answer = try await server.get(path, server.cookie)
                #expect(answer.status == 200 && answer.body == body && answer.header("content-type") == type, "\(path)")
                #expect(answer.header("cache-control") == "no-cache")
                let tag = try #require(answer.header("etag"))
                let again = try await server.get(path, server.cookie, "If-None-Match: \(tag)")
                #expect(again.status == 304 && again.body.isEmpty && again.header("etag") == tag, "\(path)")
                let head = try await server.get(path, server.cookie, method: "HEAD")
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(head.header("content-length") == "\(body.utf8.count)")
                #expect(try await server.get(path).status == 401, "\(path)")
            }
        }
    }

    @Test(arguments: [
        ("/assets/", 400), ("/assets", 404), ("/assets/none.js", 404), ("/assets/.hidden.js", 404),
        ("/assets/no.sh", 404),
        ("/assets/x/studio.js", 404), ("/assets/..%2findex.html", 400), ("/assets/%2e%2e", 400), ("/index.html", 404),
        ("/assets/index.html", 404), ("/assets/%2569ndex.html", 404), ("/assets/studio.js%00", 400), ("/assets/*", 404),
        ("/.env.json", 404), ("/assets/%73tudio.js", 200), ("/assets/%ff.js", 404),
    ])
    func nothingElseIsServed(path: String, status: Int) async throws {
        let folder = try Folder()
        try await TestServer.run(page: try PageResources.studio(folder: folder.url.path)) { server in
            let answer = try await server.get(path, server.cookie)
            #expect(answer.status == status, "\(path)")
        }
    }

    @Test func aPageThatIsNotThereIsSaidWithWhereItWasLookedFor() throws {
        do {
            _ = try PageResources.studio(folder: "/nonexistent/page")
            Issue.record("found")
        } catch {
            #expect(error.code == .missingResources && error.reason.contains("/nonexistent/page"))
            #expect(error.advice != nil)
        }
    }
}
