// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport

/// A delegate that writes down what it gets.
final class RecordingDelegate: VideoDataOutputDelegate {
    struct Record: Sendable {
        var sequences: [UInt64] = []
        var marks: [UInt8] = []
        var drops: [DroppedFrame] = []
        var endings: [ObscuraError?] = []
    }

    private let record = Lock(Record())
    private let onFrame: @Sendable (VideoFrame) -> Void
    private let onEnd: @Sendable () -> Void
    let frames = Count()
    let drops = Count()
    let endings = Count()

    init(onFrame: @escaping @Sendable (VideoFrame) -> Void = { _ in }, onEnd: @escaping @Sendable () -> Void = {}) {
        self.onFrame = onFrame
        self.onEnd = onEnd
    }

    /// One for each output, in order.
    static func each(of outputs: [VideoDataOutput]) -> [RecordingDelegate] {
        outputs.map { output in
            let delegate = RecordingDelegate()
            output.setDelegate(delegate)
            return delegate
        }
    }

    var sequences: [UInt64] { record.withLock { $0.sequences } }
    var marks: [UInt8] { record.withLock { $0.marks } }
    var dropped: [DroppedFrame] { record.withLock { $0.drops } }
    var errors: [ObscuraError?] { record.withLock { $0.endings } }

    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
        record.withLock { record in
            record.sequences.append(frame.sequence)
            record.marks.append(frame.buffer.format == .gray8 ? frame.mark : 0)
        }
        frames.add()
        onFrame(frame)
    }

    func output(_ output: VideoDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection) {
        record.withLock { $0.drops.append(drop) }
        drops.add(drop.count)
    }

    func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) {
        record.withLock { $0.endings.append(error) }
        onEnd()
        endings.add()
    }
}
