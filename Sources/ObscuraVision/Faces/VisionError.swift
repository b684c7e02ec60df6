// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

public import ObscuraMedia

/// What can fail when faces are looked for.
public struct VisionError: ObscuraError, Hashable {
    /// What kind of failure it is.
    public enum Code: String, Sendable, Hashable {
        /// A cascade or a model is not there, may not be read, or is no ordinary file.
        case unreadable
        /// A cascade or a model has no bytes.
        case empty
        /// The file is no cascade that OpenCV can read.
        case notACascade
        /// The file is no model that OpenCV can read.
        case notAModel
        /// The OpenCV that this was built with cannot do it.
        case unsupported
        /// A setting makes no sense.
        case invalidSettings
        /// The picture is compressed, or cannot be made gray.
        case unsupportedPicture
        /// OpenCV failed while it searched.
        case searchFailed
    }

    /// What kind of failure it is.
    public let code: Code
    /// On which file or picture it failed.
    public let subject: String
    /// What went wrong.
    public let reason: String
    /// What the user can do.
    public let advice: String?
}

extension VisionError {
    static let modelAdvice =
        "Give the path of face_detection_yunet_2022mar.onnx from OpenCV's model zoo, or one that your OpenCV reads."

    static func noCascade(_ name: String) -> VisionError {
        VisionError(
            code: .unreadable, subject: name, reason: "it is in none of the folders of OpenCV's data",
            advice: "Install it: sudo apt-get install opencv-data; or give the path of a cascade.")
    }

    static func unreadable(_ path: String, _ reason: String, advice: String) -> VisionError {
        VisionError(code: .unreadable, subject: path, reason: reason, advice: advice)
    }

    static func empty(_ path: String, advice: String) -> VisionError {
        VisionError(code: .empty, subject: path, reason: "the file is empty", advice: advice)
    }

    static func notACascade(_ path: String, _ words: String) -> VisionError {
        VisionError(
            code: .notACascade, subject: path, reason: "it is not a cascade (\(words))",
            advice: "Give an .xml file such as haarcascade_frontalface_alt.xml of the package opencv-data.")
    }

    static func notAModel(_ path: String, _ words: String) -> VisionError {
        VisionError(
            code: .notAModel, subject: path, reason: "it is not a model in ONNX that OpenCV reads (\(words))",
            advice: modelAdvice)
    }

    static func noYuNet(version: String) -> VisionError {
        VisionError(
            code: .unsupported, subject: "YuNet", reason: "OpenCV \(version) does not have it",
            advice: "Build with OpenCV 4.5.4 or later, or use the engine .cascade().")
    }

    static func invalidSettings(_ reason: String) -> VisionError {
        VisionError(code: .invalidSettings, subject: "settings of the search", reason: reason, advice: nil)
    }

    static func compressed(_ format: PixelFormat) -> VisionError {
        VisionError(
            code: .unsupportedPicture, subject: "picture in \(format.rawValue)",
            reason: "it is compressed, so that it has no pixels", advice: "Decode it first.")
    }

    static func searchFailed(_ words: String) -> VisionError {
        VisionError(code: .searchFailed, subject: "OpenCV", reason: "the search failed (\(words))", advice: nil)
    }
}

#endif
