// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A segment of a source, such as the media of a track, that is mapped to a segment of a target, such as the track.
public struct CMTimeMapping: Sendable, Hashable {
    /// The range of the source; its start is invalid if the segment of the target is empty.
    public var source: CMTimeRange
    /// The range of the target.
    public var target: CMTimeRange

    /// Creates an invalid mapping.
    public init() { self.init(source: .invalid, target: .invalid) }

    /// Creates a mapping, without validation.
    public init(source: CMTimeRange, target: CMTimeRange) {
        self.source = source
        self.target = target
    }

    /// An invalid mapping.
    public static let invalid = CMTimeMapping(source: .invalid, target: .invalid)
}

/// Returns a mapping; invalid if a duration is not of epoch 0.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
    source.duration.epoch == 0 && target.duration.epoch == 0 ? CMTimeMapping(source: source, target: target) : .invalid
}

/// Returns a mapping without a source; invalid if the duration is not of epoch 0.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
    CMTimeMappingMake(source: .invalid, target: target)
}
