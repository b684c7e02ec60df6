// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AVMediaType {
    /// The media type of the engine; nil for one that sessions do not have.
    var mediaType: MediaType? {
        switch self {
        case .video: .video
        case .audio: .audio
        default: nil
        }
    }
}
