// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Dispatch

/// The place where the callbacks of a delegate run. The callbacks never overlap.
public enum CallbackPlace: Sendable {
    /// On a new serial dispatch queue that targets this queue; nil creates a queue without a target.
    case queue(DispatchQueue?)
    /// On the thread that makes a frame available: the thread of the source, a thread that converts frames, or the
    /// thread that releases an earlier frame.
    ///
    /// This is the shortest way of a frame: no other thread has to be woken. A callback must return soon, since it holds
    /// up the source with all its other readers, and a camera drops the frames for which it has no buffer meanwhile. Use
    /// ``queue(_:)`` for work that takes longer than a small part of a frame duration.
    case arrival
}
