// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase

/// The source of a command that reads frames, and the certificates to accept from it.
struct SourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Source: 'camera', 'camera:front', 'camera:ID', 'pattern' (test pattern), a file or a URL.",
            discussion: """
                Default: the first camera, or the test pattern if there is no camera. obscura devices lists the IDs. \
                'pattern:1280x720@60' sets the frame size and the frame rate of the test pattern.
                """, valueName: "source"))
    private var given: String?

    @Flag(help: "Wait instead of failing if the camera is in use, or a network camera or server does not respond yet.")
    private(set) var wait = false

    @OptionGroup
    private var drivers: DriverOptions

    @OptionGroup
    private var certificates: TrustOptions

    /// The given source; nil for the default.
    var name: String? { given }

    /// The given source or the default; if the default is built in, a message on standard error names it.
    var resolvedName: String { DefaultSource.camera(unless: given) }

    /// Checks that no file to write is the source, also under another name. Otherwise `--overwrite` would replace it.
    ///
    /// - Parameter paths: the files to write; nil for an option that is not given.
    /// - Throws: `ValidationError`.
    func keepSource(from paths: [String?]) throws {
        guard let given, SourceKind(given) == .film, let film = try? FileStatus(path: given) else { return }
        for case let path? in paths {
            guard let file = try? FileStatus(path: path), film.isOfSameFile(as: file) else { continue }
            throw ValidationError("\(path) is the source. Write to another file.")
        }
    }

    /// A message that the command waits for the source.
    func waitNotice(for device: CaptureDevice?, isQuiet: Bool) -> WaitNotice {
        // The name of a URL has no password.
        WaitNotice(for: device?.localizedName ?? "the source", isShown: wait && !isQuiet)
    }

    var trust: ServerTrust { certificates.trust }
}
