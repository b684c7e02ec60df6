// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// An error of this module.
///
/// The description contains the cause and a remedy.
public struct AVError: Error, CustomNSError, LocalizedError, CustomStringConvertible, Sendable {
    /// The kind of error. The raw values are those of Apple's platforms.
    public enum Code: Int, Sendable {
        case unknown = -11800
        case outOfMemory = -11801
        case sessionNotRunning = -11803
        case noDataCaptured = -11805
        case diskFull = -11807
        case deviceWasDisconnected = -11808
        case maximumDurationReached = -11810
        case maximumFileSizeReached = -11811
        case deviceNotConnected = -11814
        case deviceInUseByAnotherApplication = -11815
        case decodeFailed = -11821
        case fileAlreadyExists = -11823
        case encoderNotFound = -11834
        case applicationIsNotAuthorizedToUseDevice = -11852
        case operationInterrupted = -11847
    }

    /// The name of the domain of these errors.
    public static let errorDomain = AVFoundationErrorDomain

    /// The kind of error.
    public let code: Code
    /// Whether a movie that ended with this error can be played; nil for other errors.
    public let recordingSuccessfullyFinished: Bool?
    private let cause: ObscuraError?

    /// Creates an error of a kind.
    public init(_ code: Code) { self.init(code, cause: nil) }

    init(_ code: Code, cause: ObscuraError?, recordingSuccessfullyFinished: Bool? = nil) {
        self.code = code
        self.cause = cause
        self.recordingSuccessfullyFinished = recordingSuccessfullyFinished
    }

    /// Creates the error for one of the engine.
    init(_ error: ObscuraError, recordingSuccessfullyFinished: Bool? = nil) {
        self.init(Code(error.code), cause: error, recordingSuccessfullyFinished: recordingSuccessfullyFinished)
    }

    /// The kind of error, as a number.
    public var errorCode: Int { code.rawValue }

    /// For a recording, `AVErrorRecordingSuccessfullyFinishedKey`. For errors of Obscura, the `ObscuraError` as
    /// `NSUnderlyingErrorKey`.
    public var errorUserInfo: [String: Any] {
        var values: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let cause { values[NSUnderlyingErrorKey] = cause }
        if let recordingSuccessfullyFinished {
            values[AVErrorRecordingSuccessfullyFinishedKey] = NSNumber(value: recordingSuccessfullyFinished)
        }
        return values
    }

    /// The failed operation, its cause and a remedy, in English.
    public var errorDescription: String? { description }

    /// The failed operation, its cause and a remedy, in English.
    public var description: String { cause?.description ?? code.text }
}

/// The domain of ``AVError``.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// The key of an `NSNumber` with a Boolean: whether a movie that ended with an error can be played.
public let AVErrorRecordingSuccessfullyFinishedKey = "AVErrorRecordingSuccessfullyFinishedKey"

extension AVError: Hashable {
    /// Whether both have the same kind and the same description.
    public static func == (one: AVError, other: AVError) -> Bool {
        one.code == other.code && one.description == other.description
            && one.recordingSuccessfullyFinished == other.recordingSuccessfullyFinished
    }

    /// Hashes the kind.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension AVError {
    /// An error of an unknown kind.
    public static var unknown: Code { .unknown }
    /// There is not enough memory.
    public static var outOfMemory: Code { .outOfMemory }
    /// The session is not running.
    public static var sessionNotRunning: Code { .sessionNotRunning }
    /// A recording ended before the first frame.
    public static var noDataCaptured: Code { .noDataCaptured }
    /// A device is not plugged in.
    public static var deviceNotConnected: Code { .deviceNotConnected }
    /// The data are damaged.
    public static var decodeFailed: Code { .decodeFailed }
    /// The system has no encoder for the codec.
    public static var encoderNotFound: Code { .encoderNotFound }
    /// The operation was canceled.
    public static var operationInterrupted: Code { .operationInterrupted }
    /// The disk is full.
    public static var diskFull: Code { .diskFull }
    /// A device was unplugged.
    public static var deviceWasDisconnected: Code { .deviceWasDisconnected }
    /// The movie has reached its maximum duration.
    public static var maximumDurationReached: Code { .maximumDurationReached }
    /// The movie has reached its maximum size.
    public static var maximumFileSizeReached: Code { .maximumFileSizeReached }
    /// Another program uses the device.
    public static var deviceInUseByAnotherApplication: Code { .deviceInUseByAnotherApplication }
    /// The file exists already.
    public static var fileAlreadyExists: Code { .fileAlreadyExists }
    /// This process is not allowed to use the device.
    public static var applicationIsNotAuthorizedToUseDevice: Code { .applicationIsNotAuthorizedToUseDevice }
}

extension AVError.Code {
    /// Whether an error has this kind, for a `catch` clause.
    public static func ~= (code: AVError.Code, error: any Error) -> Bool { (error as? AVError)?.code == code }

    /// The message of an error without one of the engine.
    fileprivate var text: String {
        switch self {
        case .maximumDurationReached: "The recording ended: it has reached its maximum duration."
        case .maximumFileSizeReached: "The recording ended: it has reached its maximum file size."
        case .deviceWasDisconnected: "The recording ended: its device was disconnected."
        case .diskFull: "The recording ended: the disk is full."
        case .noDataCaptured: "The recording ended before the first frame."
        case .sessionNotRunning: "The session is not running."
        default: "\(self)"
        }
    }

    /// The kind of an error of the engine.
    fileprivate init(_ code: ObscuraError.Code) {
        self =
            switch code {
            case .outOfMemory, .outOfBuffers, .poolExhausted: .outOfMemory
            case .notRunning: .sessionNotRunning
            case .cancelled: .operationInterrupted
            case .diskFull: .diskFull
            case .deviceDisconnected: .deviceWasDisconnected
            case .noSuchDevice: .deviceNotConnected
            case .deviceInUse: .deviceInUseByAnotherApplication
            case .notAuthorized: .applicationIsNotAuthorizedToUseDevice
            case .damaged: .decodeFailed
            case .fileExists: .fileAlreadyExists
            case .encoderUnavailable: .encoderNotFound
            default: .unknown
            }
    }
}
