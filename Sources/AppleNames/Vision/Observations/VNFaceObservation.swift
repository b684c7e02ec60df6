// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A face in an image.
public final class VNFaceObservation: VNDetectedObjectObservation, @unchecked Sendable {  // As its superclass.
}
