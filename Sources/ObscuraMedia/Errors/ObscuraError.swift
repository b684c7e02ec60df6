// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What every error of the project says: what failed, why, and what one can do.
///
/// Each area has one error type that conforms (``MediaError``, `ImagingError`, `CaptureError`).
public protocol ObscuraError: Error, Sendable, CustomStringConvertible {
    /// On what it failed: a device, a file, an address (passwords masked).
    var subject: String { get }
    /// What went wrong, as the end of a sentence that begins with the subject.
    var reason: String { get }
    /// What the user can do, as a sentence; nil where nobody can do anything.
    var advice: String? { get }
}

extension ObscuraError {
    /// One whole message: `subject: reason. Advice.`
    public var description: String {
        let sentence = "\(subject): \(reason)."
        guard let advice else { return sentence }
        return "\(sentence) \(advice)"
    }
}

/// What can fail with the values themselves: pictures in memory, places.
public struct MediaError: ObscuraError, Hashable {
    /// What kind of failure it is.
    public enum Code: String, Sendable, Hashable {
        /// A side is not in 1...32768, or the format has no planes.
        case invalidSize
        /// The system has no memory left.
        case outOfMemory
        /// Every buffer of the pool is in use.
        case poolExhausted
        /// A latitude, longitude or altitude is not on the earth.
        case invalidLocation
    }

    /// What kind of failure it is.
    public let code: Code
    /// On what it failed.
    public let subject: String
    /// What went wrong.
    public let reason: String
    /// What the user can do.
    public let advice: String?

    static func invalidSize(format: PixelFormat, width: Int, height: Int) -> MediaError {
        MediaError(
            code: .invalidSize, subject: "picture \(width)x\(height) \(format.rawValue)",
            reason: format.isCompressed ? "a compressed format has no planes" : "each side must be 1 to 32768 pixels",
            advice: nil)
    }

    static func outOfMemory(byteCount: Int) -> MediaError {
        MediaError(
            code: .outOfMemory, subject: "picture of \(byteCount) bytes", reason: "the system has no memory left",
            advice: "Ask for a smaller size, or hold fewer frames.")
    }

    static func poolExhausted(capacity: Int) -> MediaError {
        MediaError(
            code: .poolExhausted, subject: "pool of \(capacity) buffers", reason: "all of them are in use",
            advice: "Let go of frames that are no longer needed.")
    }

    static func invalidLocation(latitude: Double, longitude: Double, altitude: Double?) -> MediaError {
        let height = altitude.map { ", \($0) m" } ?? ""
        return MediaError(
            code: .invalidLocation, subject: "place \(latitude), \(longitude)\(height)",
            reason: "latitude goes from -90 to 90, longitude from -180 to 180, altitude from -100000 to 100000 m",
            advice: nil)
    }
}
