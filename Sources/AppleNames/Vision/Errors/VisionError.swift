// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A failure of a request, with its cause and, if there is one, a remedy.
public enum VisionError: Error, Sendable, Hashable {
    /// A property of the request is invalid, such as its region of interest.
    case invalidArgument(String)
    /// The image has no pixels, is damaged or too large, or is not a JPEG or PNG file.
    case invalidImage(String)
    /// The file of the image cannot be read.
    case ioError(String)
    /// The search failed, or OpenCV or its cascade is missing.
    case operationFailed(String)
    /// There is not enough memory.
    case outOfMemory(String)
    /// The task or the request was cancelled.
    case requestCancelled(String)

    static let cancelled = VisionError.requestCancelled("The request was cancelled.")

    /// Creates the failure of a search.
    init(_ error: any Error) {
        switch (error as? ObscuraError)?.code {
        case .damaged, .tooLarge, .unsupportedFormat, .unsupportedPicture, .invalidRequest:
            self = .invalidImage("\(error)")
        case .outOfMemory, .poolExhausted: self = .outOfMemory("\(error)")
        default: self = .operationFailed("\(error)")
        }
    }

    var message: String {
        switch self {
        case .invalidArgument(let text), .invalidImage(let text), .ioError(let text), .operationFailed(let text),
            .outOfMemory(let text), .requestCancelled(let text):
            text
        }
    }
}

extension VisionError: LocalizedError {
    /// The cause and a remedy, in English.
    public var errorDescription: String? { message }
}
