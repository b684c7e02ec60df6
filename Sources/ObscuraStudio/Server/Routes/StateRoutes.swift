// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
internal import Obscura
internal import ObscuraWeb

/// The routes for the state of the Studio, for its devices, and for metrics.
struct StateRoutes: Sendable {
    let studio: Studio
    let pages: PageHub

    func add(to router: Router<WebContext>) {
        router.get("metrics") { _, _ in await MetricsPage(studio, pages).page.response }
        router.get("api/state") { _, _ in try Response.json(await studio.description()) }
        router.get("api/devices") { _, _ in try Response.json(studio.deviceLists) }
    }
}
