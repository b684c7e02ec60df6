// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The type of faces.
public let CIFeatureTypeFace = "Face"

/// An object in an image.
public class CIFeature: @unchecked Sendable {  // The properties of all classes are constant and `Sendable`.
    /// The kind of object: ``CIFeatureTypeFace``.
    public let type: String
    /// The bounds, in the coordinates of the image.
    public let bounds: CGRect

    init(type: String, bounds: CGRect) {
        self.type = type
        self.bounds = bounds
    }
}

extension CIFeature: Hashable {
    /// Whether both are the same object.
    public static func == (one: CIFeature, other: CIFeature) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
