// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension ObscuraError.Domain {
    /// Detection of faces.
    public static let vision = Self("vision")
}

extension ObscuraError.Code {
    /// The cascade or model is empty.
    public static let empty = Self("empty")
    /// The file is not a cascade that OpenCV can read.
    public static let notACascade = Self("notACascade")
    /// The file is not a model that OpenCV can read.
    public static let notAModel = Self("notAModel")
    /// This OpenCV does not support it.
    public static let unsupported = Self("unsupported")
    /// The picture is compressed, or cannot be converted to gray.
    public static let unsupportedPicture = Self("unsupportedPicture")
    /// OpenCV failed during the detection.
    public static let searchFailed = Self("searchFailed")
}

extension ObscuraError {
    static let modelAdvice =
        "Give the path of face_detection_yunet_2022mar.onnx from OpenCV's model zoo, or one that your OpenCV reads."

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
            .vision, .notACascade, subject: path, reason: "it is not a cascade (\(message))",
            advice: "Give an .xml file such as haarcascade_frontalface_alt.xml of the package opencv-data.")
    }

    static func notAModel(_ path: String, _ message: String) -> ObscuraError {
        ObscuraError(
            .vision, .notAModel, subject: path, reason: "it is not a model in ONNX that OpenCV reads (\(message))",
            advice: modelAdvice)
    }

    static func noYuNet(version: String) -> ObscuraError {
        ObscuraError(
            .vision, .unsupported, subject: "YuNet", reason: "OpenCV \(version) does not have it",
            advice: "Build with OpenCV 4.5.4 or later, or use the engine .cascade().")
    }

    static func invalidSettings(_ reason: String) -> ObscuraError {
        ObscuraError(.vision, .invalidSettings, subject: "settings of the search", reason: reason, advice: nil)
    }

    static func compressed(_ format: PixelFormat) -> ObscuraError {
        ObscuraError(
            .vision, .unsupportedPicture, subject: "picture in \(format.rawValue)",
            reason: "it is compressed", advice: "Decode it first.")
    }

    static func searchFailed(_ message: String) -> ObscuraError {
        ObscuraError(.vision, .searchFailed, subject: "OpenCV", reason: "the search failed (\(message))", advice: nil)
    }
}
