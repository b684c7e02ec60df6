// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraBase

// Errors that several targets share, and errors of the value types.
extension ObscuraError {
    package static func outOfMemory(_ domain: Domain, _ subject: String) -> ObscuraError {
        ObscuraError(domain, .outOfMemory, subject: subject, reason: "the system has no memory left")
    }

    package static func noThread(_ domain: Domain, _ code: Code, _ subject: String) -> ObscuraError {
        ObscuraError(
            domain, code, subject: subject, reason: "the system cannot create another thread",
            remedy: .raiseLimit(.threads))
    }

    package static func cancelled(_ domain: Domain, _ subject: String) -> ObscuraError {
        ObscuraError(domain, .cancelled, subject: subject, reason: "the operation was cancelled before it finished")
    }

    /// - Parameters:
    ///   - library: The name of the library, and of the product.
    ///   - packages: The packages of the system that the library needs.
    package static func libraryMissing(
        _ domain: Domain, _ subject: String, library: String, _ failure: OptionalLibrary.Failure, packages: [String]
    ) -> ObscuraError {
        ObscuraError(
            domain, .libraryMissing, subject: subject,
            reason: "the library \(library) cannot be loaded (\(failure.reason))",
            remedy: failure.isOfLibrary ? .addLibrary(library) : .installPackages(packages))
    }

    package static func invalidSettings(
        _ domain: Domain, _ subject: String, _ reason: String, _ advice: String? = nil
    ) -> ObscuraError {
        ObscuraError(domain, .invalidSettings, subject: subject, reason: reason, advice: advice)
    }

    static func invalidSize(format: PixelFormat, width: Int, height: Int) -> ObscuraError {
        ObscuraError(
            .media, .invalidSize, subject: "pixel buffer \(width)x\(height) \(format.rawValue)",
            reason: format.isCompressed
                ? "a pixel buffer cannot have a compressed format" : "each side must be 1 to 32768 pixels")
    }

    static func outOfMemory(byteCount: Int) -> ObscuraError {
        ObscuraError(
            .media, .outOfMemory, subject: "pixel buffer of \(byteCount) bytes",
            reason: "the system has no memory left",
            advice: "Use a smaller size, or hold fewer frames.")
    }

    static func poolExhausted(capacity: Int) -> ObscuraError {
        ObscuraError(
            .media, .poolExhausted, subject: "pool of \(capacity) buffers", reason: "all buffers are in use",
            advice: "Release frames that are no longer needed.")
    }

    static func invalidLocation(latitude: Double, longitude: Double, altitude: Double?) -> ObscuraError {
        let height = altitude.map { ", \($0) m" } ?? ""
        return ObscuraError(
            .media, .invalidLocation, subject: "location \(latitude), \(longitude)\(height)",
            reason: "the latitude must be -90 to 90, the longitude -180 to 180, the altitude -100000 to 100000 m")
    }
}
