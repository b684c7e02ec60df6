// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraVision

extension FaceDetector.Engine {
    /// Returns the engine for an OpenCV cascade in a file.
    public static func cascade(file: some MediaLocation) -> Self {
        .cascade(file: file.mediaLocation)
    }

    /// Returns the engine for the network YuNet with an ONNX model file.
    public static func yunet(model: some MediaLocation) -> Self {
        .yunet(model: model.mediaLocation)
    }
}
