// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The pixel format: a four-character code as a number.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// The width, in pixels.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// The height, in pixels.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// Properties of memory that is shared with a GPU. Without effect here.
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// Whether the buffer can be used for a `CGImage`. Without effect here: all buffers can.
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"

/// Numbers in dictionaries of settings, which can have several types.
package enum SettingValue {
    /// Returns a number of Swift's types, or of Foundation's; nil for other values.
    package static func number(_ value: Any) -> Double? {
        switch value {
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        // A Boolean is a number of Foundation.
        case is Bool: nil
        case let value as NSNumber: value.doubleValue
        default: nil
        }
    }

    /// Returns a whole number; nil for other values.
    package static func integer(_ value: Any) -> Int? { number(value).flatMap { Int(exactly: $0) } }
}
