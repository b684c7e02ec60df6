// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraImaging

/// The style of drawn faces: a box around each face, a label with its id, and boxes around eyes and mouth.
public struct FaceMask: Sendable, Hashable {
    /// The color of lines and labels.
    public var color = BGRAPixel(red: 0, green: 255, blue: 0)
    /// The line width, in pixels; nil for 1/360 of the height of the frame.
    public var lineWidth: Int?
    /// Whether to label each face with its ``Face/id``.
    public var showsLabels = true
    /// Whether to draw boxes around detected eyes and mouths.
    public var showsFeatures = true

    /// Creates a mask of green boxes around faces, eyes and mouths, with a label for each face.
    public init() {}
}
