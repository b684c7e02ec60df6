// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

public import ObscuraImaging

/// Draws faces: a box around each, its number, its eyes and mouth.
public struct FaceMask: Sendable, Hashable {
    /// The colour of the lines and labels.
    public var color = BGRAPixel(red: 0, green: 255, blue: 0)
    /// How wide lines are, in pixels; nil goes by the size of the picture.
    public var lineWidth: Int?
    /// Whether each face has its ``Face/id`` beside it.
    public var showsLabels = true
    /// Whether eyes and mouth have boxes, where they were found.
    public var showsFeatures = true

    /// Green boxes with labels and features.
    public init() {}
}

#endif
