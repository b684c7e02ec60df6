// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The domain of the errors of ``VNImageRequestHandler`` and ``VNSequenceRequestHandler``. The codes are
/// ``VNErrorCode``.
public let VNErrorDomain = "com.apple.vis"

/// The code of an error.
///
/// Only these codes occur here: ``requestCancelled``, ``operationFailed``, ``ioError``, ``outOfMemory``,
/// ``invalidImage`` and ``invalidArgument``.
public enum VNErrorCode: Int, Sendable {
    /// A failure of Create ML.
    case turiCoreErrorCode = -1
    /// No failure.
    case OK = 0
    /// The request was cancelled.
    case requestCancelled = 1
    /// The format of the image is invalid.
    case invalidFormat = 2
    /// The search failed, or OpenCV or its cascade is missing.
    case operationFailed = 3
    /// An index or a number is out of range.
    case outOfBoundsError = 4
    /// An option is invalid.
    case invalidOption = 5
    /// The file of the image cannot be read.
    case ioError = 6
    /// An option is missing.
    case missingOption = 7
    /// A function is not implemented.
    case notImplemented = 8
    /// An internal failure.
    case internalError = 9
    /// There is not enough memory.
    case outOfMemory = 10
    /// A failure of an unknown kind.
    case unknownError = 11
    /// The operation is not allowed.
    case invalidOperation = 12
    /// The image has no pixels, is damaged or too large, or is not a JPEG or PNG file.
    case invalidImage = 13
    /// A property of the request is invalid, such as its region of interest.
    case invalidArgument = 14
    /// A model is invalid.
    case invalidModel = 15
    /// The revision of a request is not supported.
    case unsupportedRevision = 16
    /// Data are missing.
    case dataUnavailable = 17
    /// There is no frame for the requested time.
    case timeStampNotFound = 18
    /// The request is not supported.
    case unsupportedRequest = 19
    /// The time limit was exceeded.
    case timeout = 20
    /// A stage of a computation is not supported.
    case unsupportedComputeStage = 21
    /// A device for a computation is not supported.
    case unsupportedComputeDevice = 22
}

extension NSError {
    /// Creates the error with the domain of Vision.
    convenience init(_ error: VisionError) {
        let code: VNErrorCode =
            switch error {
            case .invalidArgument: .invalidArgument
            case .invalidImage: .invalidImage
            case .ioError: .ioError
            case .operationFailed: .operationFailed
            case .outOfMemory: .outOfMemory
            case .requestCancelled: .requestCancelled
            }
        self.init(
            domain: VNErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: error.message])
    }
}
