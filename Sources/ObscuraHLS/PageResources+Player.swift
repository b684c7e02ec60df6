// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia
internal import ObscuraWeb

extension PageResources {
    /// Returns the page with the HLS player.
    static func player() throws(ObscuraError) -> PageResources {
        try PageResources(bundle: "obscura_ObscuraHLS.resources", share: "hls", below: [""])
    }
}
