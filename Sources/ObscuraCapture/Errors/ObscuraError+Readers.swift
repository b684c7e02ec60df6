// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension ObscuraError.Code {
    /// Whether the request is invalid for every image.
    var isRefusal: Bool { self == .invalidRequest || self == .unsupportedFormat }
}

extension DropReason {
    /// Creates the drop reason for a failed conversion. Only frames from devices can be damaged, since they are decoded
    /// on the reader's side.
    init(of error: any Error) {
        self =
            switch (error as? ObscuraError)?.code {
            case .poolExhausted: .outOfBuffers
            case .damaged, .tooLarge: .deviceError
            default: .transformFailed
            }
    }
}

extension ObscuraError {
    /// Returns the error for an output whose request cannot be satisfied from the frames of its source.
    static func refused(_ error: ObscuraError, _ output: String) -> ObscuraError {
        ObscuraError(
            .capture, .invalidConfiguration, subject: output, reason: "\(error.subject): \(error.reason)",
            remedy: error.remedy ?? .advice("Request another size, crop or pixel format."))
    }

    static func holdsTooMany(_ reader: String, _ count: Int, _ patience: Duration) -> ObscuraError {
        ObscuraError(
            .capture, .outOfBuffers, subject: reader,
            reason: "the maximum of \(count) frames has been held for \(patience), so no more can be delivered",
            advice: "Release frames, copy their pixels, or set a higher leaseLimit on the output.")
    }
}
