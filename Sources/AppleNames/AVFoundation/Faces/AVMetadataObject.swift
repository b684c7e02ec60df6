// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// An object in a frame.
public class AVMetadataObject: NSObject, @unchecked Sendable {  // Its properties are constants.
    /// The kind of an object.
    public struct ObjectType: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A face of a person.
        public static let face = ObjectType(rawValue: "face")
    }

    /// The kind.
    public let type: ObjectType
    /// The time of the frame, in seconds.
    public let time: CMTime
    /// The duration of the object; always invalid, because it is unknown.
    public var duration: CMTime { .invalid }
    /// The bounds of the object, as fractions of the width and the height of the frame, from its top left corner. The
    /// bounds of a transformed object are in the coordinates of the preview layer.
    public let bounds: CGRect

    fileprivate init(_ type: ObjectType, at time: CMTime, in bounds: CGRect) {
        self.type = type
        self.time = time
        self.bounds = bounds
    }

    /// Returns the object at another place.
    func placed(in bounds: CGRect) -> AVMetadataObject { AVMetadataObject(type, at: time, in: bounds) }

    override public var description: String { "<\(Swift.type(of: self)) \(type.rawValue) \(bounds)>" }
}

/// A face in a frame.
public final class AVMetadataFaceObject: AVMetadataObject, @unchecked Sendable {  // Its properties are constants.
    /// The number of the face, the same as long as the face stays in the frame.
    public let faceID: Int

    init(_ faceID: Int, at time: CMTime, in bounds: CGRect) {
        self.faceID = faceID
        super.init(.face, at: time, in: bounds)
    }

    /// Whether the angle of a tilted head is known; always false.
    public var hasRollAngle: Bool { false }
    /// The angle of a tilted head, in degrees; always 0, because it is unknown.
    public var rollAngle: CGFloat { 0 }
    /// Whether the angle of a turned head is known; always false.
    public var hasYawAngle: Bool { false }
    /// The angle of a turned head, in degrees; always 0, because it is unknown.
    public var yawAngle: CGFloat { 0 }

    override func placed(in bounds: CGRect) -> AVMetadataObject { AVMetadataFaceObject(faceID, at: time, in: bounds) }
}
