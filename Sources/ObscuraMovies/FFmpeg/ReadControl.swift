// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraMedia
internal import Synchronization

/// Ends the waits of a reader: at a deadline, or when another thread cancels.
package final class ReadControl: Sendable {
    /// Nanoseconds on CLOCK_MONOTONIC.
    private let deadline = Atomic<Int64>(.max)
    private let isCancelledFlag = Atomic<Bool>(false)

    package init() {}

    /// Makes a wait in progress, and every later one, give up within about 100 ms. Any thread; for good.
    package func cancel() {
        isCancelledFlag.store(true, ordering: .relaxed)
    }

    package var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

    var hasExpired: Bool {
        let nanoseconds = deadline.load(ordering: .relaxed)
        return nanoseconds != .max && HostTime.now.nanoseconds > nanoseconds
    }

    /// Whether a wait has to give up now.
    var mustEnd: Bool { isCancelled || hasExpired }

    func setDeadline(_ time: HostTime?) {
        deadline.store(time?.nanoseconds ?? .max, ordering: .relaxed)
    }

    /// What FFmpeg asks while it waits. The control must outlive the context.
    var interruptCallback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { pointer in
                guard let pointer else { return 0 }
                return Unmanaged<ReadControl>.fromOpaque(pointer).takeUnretainedValue().mustEnd ? 1 : 0
            }, opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}
