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
        text += "From other machines, use the address of this machine instead of the host above.\n"
        text +=
            hasPassword
            ? "\(hidesPassword ? "The stream is" : "The stream and the password are") sent over the network without "
                + "encryption.\n"
            : "Anyone who can reach this address can watch. Restrict access with --user and --password.\n"
        return text
    }
}
