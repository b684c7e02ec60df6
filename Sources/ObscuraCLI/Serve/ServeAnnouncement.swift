// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The announcement of a server's address, and of the access to it.
struct ServeAnnouncement: Sendable {
    /// The announcement in JSON.
    struct Report: Encodable {
        let event = "listening"
        let url: String
    }

    /// Whether other hosts can reach the server.
    let isOpenToNetwork: Bool
    let hasPassword: Bool
    /// Whether the password is never sent over the network in plain text.
    let hidesPassword: Bool
    let isJSON: Bool
    let isQuiet: Bool

    /// Announces that a server listens at this address.
    func tell(_ address: String) {
        // Encoding cannot fail: the values are strings.
        if isJSON, let text = try? JSONText.makeLine(Report(url: address)) { Terminal.write(text + "\n") }
        if !isQuiet, !isJSON { Terminal.note(words(address)) }
    }

    func words(_ address: String) -> String {
        var text = "Watch at \(address)\n"
        guard isOpenToNetwork else { return text }
        text += "From other machines: with this machine's address in the place of the one above.\n"
        text +=
            hasPassword
            ? "\(hidesPassword ? "Pictures" : "Pictures and password") go over the network as they are: everybody on the "
                + "way can see them.\n"
            : "Everybody who reaches that address can watch; --user and --password keep others out.\n"
        return text
    }
}
