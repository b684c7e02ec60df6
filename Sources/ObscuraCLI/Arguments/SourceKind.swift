// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The kind of a source, as far as its name determines it.
enum SourceKind: Hashable {
    case camera, microphone, pattern, tone
    /// A file or a network stream, named by a path or a URL.
    case film

    init(_ source: String) {
        let kinds: [(String, Self)] = [
            ("camera", .camera), ("microphone", .microphone), ("pattern", .pattern), ("tone", .tone),
        ]
        if let kind = kinds.first(where: { source == $0.0 || source.hasPrefix($0.0 + ":") })?.1 {
            self = kind
        } else if source.hasPrefix("/dev/snd/") {
            self = .microphone
        } else {
            // As CaptureDevice.named does: a file may lie in /dev/shm.
            self = ["/dev/video", "/dev/v4l/"].contains(where: source.hasPrefix) ? .camera : .film
        }
    }
}
