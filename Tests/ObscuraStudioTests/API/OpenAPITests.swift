// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Hummingbird
import Logging
import ObscuraWeb
import Testing

@testable import ObscuraStudio

@Suite struct OpenAPITests {
    private func described() throws -> Set<String> {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "Sources/ObscuraStudio/Resources/openapi.json")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let document = try #require(object as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        let methods: Set = ["get", "put", "post", "patch", "delete"]
        return Set(
            paths.flatMap { path, item in item.keys.filter(methods.contains).map { "\($0.uppercased()) \(path)" } })
    }

    @Test func `The description of the API names the very routes that there are`() throws {
        let test = try TestStudio()
        let pages = PageHub(test.studio, logger: Logger(label: "test"))
        let router = Router<WebContext>.web(errors: .studio)
        ServerRoutes(version: "1").add(to: router)
        try StudioServer.addRoutes(to: router, test.studio, pages)
        let routes = Set(
            // Each GET is a HEAD as well.
            router.routes.filter { $0.method != .head }.map { route in
                let path = route.path.description
                return "\(route.method.rawValue) \(path.hasPrefix("/") ? path : "/" + path)"
            })
        let described = try described()
        #expect(routes.subtracting(described).sorted() == [])
        #expect(described.subtracting(routes).sorted() == [])
    }
}
