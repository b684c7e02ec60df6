// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraVision

extension FaceDetector.Engine {
    /// Returns the engine that uses an OpenCV cascade, which is read from a file.
    public static func cascade(file: some MediaLocation) -> Self {
        .cascade(file: file.mediaLocation)
    }

    /// Returns the engine that uses OpenCV's neural network YuNet, whose model is read from an ONNX file.
    public static func yunet(model: some MediaLocation) -> Self {
        .yunet(model: model.mediaLocation)
    }
}
