// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A frame that is kept for photos, with the output's lease of it.
struct KeptFrame: Sendable {
    let frame: RoutedFrame
    let lease: FrameLease

    var moment: PhotoSchedule.Moment {
        PhotoSchedule.Moment(hostTime: frame.hostTime, time: frame.presentationTime, epoch: frame.epoch)
    }

    /// Keeps the frame, copied to memory of `pool` if it is in the driver's memory: a driver has few
    /// buffers, and must not run out of them because of kept frames. Returns nil if the pool is full.
    static func keep(_ frame: RoutedFrame, _ lease: FrameLease, in pool: PixelBufferPool) -> KeptFrame? {
        guard case .pixels(let pixels) = frame.content, !pixels.buffer.isPooled else {
            return KeptFrame(frame: frame, lease: lease)
        }
        guard let copy = try? pixels.buffer.copy(in: pool) else { return nil }
        return KeptFrame(frame: frame.replacing(with: pixels.replacing(buffer: copy)), lease: lease)
    }
}
