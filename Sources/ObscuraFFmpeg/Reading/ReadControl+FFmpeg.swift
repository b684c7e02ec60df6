// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraMedia

extension ReadControl {
    /// The callback that FFmpeg calls while it waits. The control must outlive the context.
    var interruptCallback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { pointer in
                guard let pointer else { return 0 }
                return Unmanaged<ReadControl>.fromOpaque(pointer).takeUnretainedValue().mustEnd ? 1 : 0
            }, opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}
