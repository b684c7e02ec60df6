// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraVision

extension FaceDetector.Engine {
    /// A cascade in an OpenCV file.
    public static func cascade(file: some MediaLocation) -> Self {
        .cascade(file: file.mediaLocation)
    }

    /// The YuNet network with an ONNX model.
    public static func yunet(model: some MediaLocation) -> Self {
        .yunet(model: model.mediaLocation)
    }
}
