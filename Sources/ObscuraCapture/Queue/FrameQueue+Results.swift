// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension FrameQueue {
    /// The result of enqueueing a frame.
    package enum Outcome: Sendable {
        case accepted
        /// The frame was queued. To make room, this older frame was dropped with the reason `late`.
        case acceptedInPlaceOf(Element)
        /// The frame was dropped.
        case dropped(DropReason)
        /// The frame and these queued frames were dropped for this reason, since the reader holds the maximum number of
        /// frames. After releasing a frame, the reader therefore gets a new frame instead of an old frame.
        case droppedWithWaiting(DropReason, [Element])
        /// The queue has ended. The frame was not queued, and is not counted.
        case closed
    }

    /// The result of taking a frame.
    package enum Take: Sendable {
        case element(Element)
        /// No frame can be taken yet. See ``FrameQueue/tell(_:)``.
        case nothing
        /// All frames have been taken, and the queue has ended. The value is the error of the source; nil if no error
        /// occurred.
        case ended((any Error)?)
    }

    /// The result of taking a frame together with a lease.
    package enum LeasedTake: Sendable {
        /// The frame, in hand. The lease is nil at the reader's limit of frames.
        case element(Element, FrameLease?)
        /// There is a frame, but it was not to be taken.
        case unwanted
        /// No frame can be taken yet; see ``FrameQueue/tell(_:)``.
        case nothing(Outlook)
    }

    /// What a queue has to take.
    package struct Outlook: Sendable {
        /// Whether there is a frame.
        package let hasElement: Bool
        /// Whether the end comes after the frames, if any.
        package let hasEnded: Bool
        /// Whether the reader holds its limit of frames.
        package let isAtLimit: Bool

        /// Whether there is a frame or the end.
        package var hasSomething: Bool { hasElement || hasEnded }
    }
}
