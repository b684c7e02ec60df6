// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The position in which a machine is held.
public enum UIDeviceOrientation: Int, Sendable {
    /// The machine has no accelerometer, or is between two positions.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// On its left side: the right side is up.
    case landscapeLeft = 3
    /// On its right side: the left side is up.
    case landscapeRight = 4
    /// Flat, the screen up.
    case faceUp = 5
    /// Flat, the screen down.
    case faceDown = 6

    /// Whether it is upright or upside down.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    /// Whether it is on one of its sides.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    /// Whether it lies flat.
    public var isFlat: Bool { self == .faceUp || self == .faceDown }
    /// Whether it is neither flat nor unknown.
    public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}
