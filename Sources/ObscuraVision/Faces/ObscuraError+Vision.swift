// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension ObscuraError.Domain {
    /// The domain of errors of face detection.
    public static let vision = Self("vision")
}

extension ObscuraError.Code {
    /// The file of the cascade or the model is empty.
    public static let empty = Self("empty")
    /// The file is not a cascade that OpenCV can read.
    public static let notACascade = Self("notACascade")
    /// The file is not a model that OpenCV can read.
    public static let notAModel = Self("notAModel")
    /// This version of OpenCV has no YuNet.
    public static let unsupported = Self("unsupported")
    /// Faces cannot be found in a compressed image; it must be decoded first.
    public static let unsupportedPicture = Self("unsupportedPicture")
    /// OpenCV failed during a search, or while drawing.
    public static let searchFailed = Self("searchFailed")
}

extension ObscuraError {
    static let modelAdvice =
        "Give face_detection_yunet_2022mar.onnx from OpenCV's model zoo, or another model that this OpenCV can read."

    static func noCascade(_ name: String) -> ObscuraError {
        ObscuraError(
            .vision, .unreadable, subject: name, reason: "it is not in OpenCV's data folders",
            remedy: .installPackages(["opencv-data"]))
    }

    static func unreadable(_ path: String, _ reason: String, advice: String) -> ObscuraError {
        ObscuraError(.vision, .unreadable, subject: path, reason: reason, advice: advice)
    }

    static func empty(_ path: String, advice: String) -> ObscuraError {
        ObscuraError(.vision, .empty, subject: path, reason: "the file is empty", advice: advice)
    }

    static func notACascade(_ path: String, _ message: String) -> ObscuraError {
        ObscuraError(
            .vision, .notACascade, subject: path, reason: "it is not a cascade that OpenCV can read (\(message))",
            advice: "Give an .xml file such as haarcascade_frontalface_alt.xml of the package opencv-data.")
    }

    static func notAModel(_ path: String, _ message: String) -> ObscuraError {
        ObscuraError(
            .vision, .notAModel, subject: path, reason: "it is not an ONNX model that OpenCV can read (\(message))",
            advice: modelAdvice)
    }

    static func noYuNet(version: String) -> ObscuraError {
        ObscuraError(
            .vision, .unsupported, subject: "YuNet", reason: "it is not part of OpenCV \(version)",
            advice: "Build with OpenCV 4.5.4 or later, or use the engine .cascade().")
    }

    static func invalidSettings(_ reason: String) -> ObscuraError {
        ObscuraError(.vision, .invalidSettings, subject: "search settings", reason: reason, advice: nil)
    }

    static func compressed(_ format: PixelFormat) -> ObscuraError {
        ObscuraError(
            .vision, .unsupportedPicture, subject: "image in \(format.rawValue)",
            reason: "faces cannot be detected in a compressed image", advice: "Decode the image first.")
    }

    static func searchFailed(_ message: String) -> ObscuraError {
        ObscuraError(
            .vision, .searchFailed, subject: "OpenCV", reason: "face detection failed (\(message))", advice: nil)
    }
}
