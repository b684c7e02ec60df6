// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Studio

internal import Foundation
internal import Glibc

/// Opens an address in the user's browser, where there is one.
///
/// The address holds a secret, and the arguments of a process are seen by every user of the machine: so the browser is
/// given a file that only this user can read, which leads to the address.
struct BrowserOpener: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "obscura-studio-\(UUID().uuidString)")

    /// Does nothing without a screen or without xdg-open.
    func open(_ address: String) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil,
            let program = Self.find("xdg-open", in: environment["PATH"] ?? ""),
            let page = try? makePage(address)
        else { return }
        let process = Process()
        process.executableURL = program
        process.arguments = [page.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }

    /// Takes the file away.
    func close() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func makePage(_ address: String) throws -> URL {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let page = folder.appending(path: "studio.html")
        // The address is ours: letters, digits, and what addresses are made of.
        let text = "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=\(address)\">\n"
        try Data(text.utf8).write(to: page)
        return page
    }

    private static func find(_ program: String, in path: String) -> URL? {
        path.split(separator: ":").map { URL(filePath: String($0)).appending(path: program) }
            .first { access($0.path, X_OK) == 0 }
    }
}

#endif
