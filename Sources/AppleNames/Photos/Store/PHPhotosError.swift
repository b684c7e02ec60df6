// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The domain of ``PHPhotosError``.
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"

/// An error of the library. The user info contains the `ObscuraError` that caused it, as `NSUnderlyingErrorKey`.
public struct PHPhotosError: LocalizedError, CustomNSError {
    /// The kind of failure.
    public enum Code: Int, Sendable {
        /// Another failure.
        case internalError = -1
        /// The task was cancelled.
        case userCancelled = 3072
        /// The folder of the library was moved or deleted.
        case libraryVolumeOffline = 3114
        /// The library has no such asset or album.
        case identifierNotFound = 3201
        /// The change is not possible, for example because a title is in use, or a new asset has no data.
        case changeNotSupported = 3300
        /// The file or the data is damaged, missing, or of an unsupported kind.
        case invalidResource = 3302
        /// A new asset has no data. Never thrown here; see ``changeNotSupported``.
        case missingResource = 3303
        /// The disk of the library is full.
        case notEnoughSpace = 3305
        /// The file of a movie was requested as the file of a photo.
        case requestNotSupportedForAsset = 3306
        /// The permissions of the folder do not allow the operation.
        case accessUserDenied = 3311
    }

    /// ``PHPhotosErrorDomain``.
    public static let errorDomain = PHPhotosErrorDomain

    /// The kind of failure.
    public let code: Code
    private let cause: ObscuraError

    init(_ code: Code, _ cause: ObscuraError) {
        (self.code, self.cause) = (code, cause)
    }

    /// - Parameter store: the library that failed.
    init(_ cause: ObscuraError, in store: PhotoStore) {
        let code: Code =
            switch cause.code {
            case .cancelled: .userCancelled
            case .notFound: store.isFolder(cause.subject) ? .libraryVolumeOffline : .identifierNotFound
            case .unreadable, .unsupportedFormat, .damaged, .truncated, .encodingFailed: .invalidResource
            case .diskFull: .notEnoughSpace
            case .notAuthorized: .accessUserDenied
            case .fileExists, .invalidRequest, .invalidPath, .tooLarge: .changeNotSupported
            default: .internalError
            }
        self.init(code, cause)
    }

    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }
    /// The failed operation, its cause and a remedy, in English.
    public var errorDescription: String? { cause.description }
    /// The description, and the `ObscuraError` that caused this error.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: cause.description, NSUnderlyingErrorKey: cause]
    }
}

extension PHPhotosError {
    /// See ``Code/userCancelled``.
    public static var userCancelled: Code { .userCancelled }
    /// See ``Code/libraryVolumeOffline``.
    public static var libraryVolumeOffline: Code { .libraryVolumeOffline }
    /// See ``Code/identifierNotFound``.
    public static var identifierNotFound: Code { .identifierNotFound }
    /// See ``Code/changeNotSupported``.
    public static var changeNotSupported: Code { .changeNotSupported }
    /// See ``Code/invalidResource``.
    public static var invalidResource: Code { .invalidResource }
    /// See ``Code/missingResource``.
    public static var missingResource: Code { .missingResource }
    /// See ``Code/notEnoughSpace``.
    public static var notEnoughSpace: Code { .notEnoughSpace }
    /// See ``Code/accessUserDenied``.
    public static var accessUserDenied: Code { .accessUserDenied }
}

extension PHPhotosError.Code {
    /// Whether an error has the code, for `catch PHPhotosError.notEnoughSpace`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? PHPhotosError)?.code == code }
}
