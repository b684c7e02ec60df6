// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// An object in a picture.
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
    /// The time of the picture, in seconds.
    public let time: CMTime
    /// The time for which the object is there: invalid, since it is unknown.
    public var duration: CMTime { .invalid }
    /// The place of the object: from 0 to 1 of the width and the height of the picture, from its top left corner. Of an
    /// object that was transformed, the place in the coordinates of its target.
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

/// A face in a picture.
public final class AVMetadataFaceObject: AVMetadataObject, @unchecked Sendable {  // Its properties are constants.
    /// The number of the face, the same while it stays in the picture.
    public let faceID: Int

    init(_ faceID: Int, at time: CMTime, in bounds: CGRect) {
        self.faceID = faceID
        super.init(.face, at: time, in: bounds)
    }

    /// Whether the angle of a tilted head is known, which it is not.
    public var hasRollAngle: Bool { false }
    /// The angle of a tilted head, in degrees; 0, since it is unknown.
    public var rollAngle: CGFloat { 0 }
    /// Whether the angle of a turned head is known, which it is not.
    public var hasYawAngle: Bool { false }
    /// The angle of a turned head, in degrees; 0, since it is unknown.
    public var yawAngle: CGFloat { 0 }

    override func placed(in bounds: CGRect) -> AVMetadataObject { AVMetadataFaceObject(faceID, at: time, in: bounds) }
}
