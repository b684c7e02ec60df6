// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
internal import Obscura
internal import ObscuraWeb

extension PageResources {
    /// Reads the resources of the Studio's pages.
    ///
    /// - Parameter folder: the folder to read; nil searches the places of an installation.
    static func studio(folder: String? = nil) throws(ObscuraError) -> PageResources {
        try PageResources(
            bundle: "obscura_ObscuraStudio.resources", share: "studio", folder: folder, below: ["", "assets/"])
    }

    /// Adds the routes `/`, `/library`, `/assets/{file}` and `/openapi.json`.
    func addRoutes(to router: Router<WebContext>) {
        router.get("/library") { request, _ in try answer("library.html", request) }
        router.get("/openapi.json") { request, _ in try answer("openapi.json", request) }
        addRoutes(to: router, home: "index.html")
    }

    /// Adds the routes `/` and `/assets/{file}`.
    func addRoutes(to router: Router<WebContext>, home: String) {
        router.get("/") { request, _ in try answer(home, request) }
        router.get("/assets/{file}") { request, context in
            try answer("assets/" + context.parameter("file"), request)
        }
    }
}
