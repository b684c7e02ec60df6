// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A confidence, from 0 to 1.
public typealias VNConfidence = Float

/// A result of a request.
public class VNObservation: @unchecked Sendable {  // The properties of all classes are constant and `Sendable`.
    /// The identifier of the observation. Each search assigns new identifiers, even to the same face.
    public let uuid = UUID()
    /// The confidence, from 0 to 1.
    public let confidence: VNConfidence

    init(confidence: VNConfidence) {
        self.confidence = confidence
    }
}

extension VNObservation: Hashable {
    /// Whether both are the same object.
    public static func == (one: VNObservation, other: VNObservation) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
