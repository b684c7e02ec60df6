// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia

/// The built-in camera with a plug that a test pulls, and with a lens and an LED.
struct PlugCamera: CaptureDriver {
    let plug = Plug()
    let position: CaptureDevice.Position
    private let controls = LensControls()
    private let pattern = PatternDriver(size: PixelSize(width: 640, height: 360), frameRate: FrameRate(30))

    init(position: CaptureDevice.Position) {
        self.position = position
    }

    var uniqueID: String { "plug:\(position.rawValue)" }
    var localizedName: String { "Test camera (\(position.rawValue))" }
    var formats: [VideoFormat] { pattern.formats }
    var authorizationStatus: AuthorizationStatus { plug.isDenied ? .denied : .authorized }
    var accessRemedy: Remedy? { plug.isDenied ? .advice("Ask whoever runs the test.") : nil }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        pattern.makeRun(request, sink: plug.sink(before: sink), clock: clock)
    }

    func openControls() throws(ObscuraError) -> any DeviceControls { controls }
}

/// Whether a camera is plugged in, and may be used.
final class Plug: Sendable {
    private struct State {
        var isOut = false
        var isDenied = false
        var sinks: [PlugSink] = []
    }

    private let state = Lock(State())

    var isDenied: Bool { state.withLock { $0.isDenied } }
    var isOut: Bool { state.withLock { $0.isOut } }

    func pull() {
        let sinks = state.withLock { state in
            state.isOut = true
            return state.sinks
        }
        for sink in sinks { sink.interrupt() }
    }

    func put() {
        state.withLock { $0.isOut = false }
    }

    func deny(_ isDenied: Bool) {
        state.withLock { $0.isDenied = isDenied }
    }

    func sink(before sink: any CaptureSink) -> any CaptureSink {
        let gate = PlugSink(sink, self)
        state.withLock { $0.sinks = [gate] }
        return gate
    }
}

/// Lets frames through while the plug is in.
final class PlugSink: CaptureSink {
    private let sink: any CaptureSink
    private let plug: Plug
    private let isInterrupted = Lock(false)

    init(_ sink: any CaptureSink, _ plug: Plug) {
        self.sink = sink
        self.plug = plug
    }

    func interrupt() {
        let isFirst = isInterrupted.withLock { isInterrupted in
            defer { isInterrupted = true }
            return !isInterrupted
        }
        if isFirst { sink.interrupted(.deviceDisconnected) }
    }

    func receive(_ frame: VideoFrame, buffersLeft: Int?) {
        guard !plug.isOut else { return }
        let isBack = isInterrupted.withLock { isInterrupted in
            defer { isInterrupted = false }
            return isInterrupted
        }
        if isBack { sink.resumed() }
        sink.receive(frame, buffersLeft: buffersLeft)
    }

    func receive(_ frame: EncodedFrame) { sink.receive(frame) }
    func receive(_ sound: AudioBuffer) { sink.receive(sound) }
    var wantsAudio: Bool { sink.wantsAudio }
    func loseFrame(sequence: UInt64?, gap: UInt64) { sink.loseFrame(sequence: sequence, gap: gap) }
    func interrupted(_ reason: InterruptionReason) { sink.interrupted(reason) }
    func resumed() { sink.resumed() }
    func finish(throwing error: ObscuraError?) { sink.finish(throwing: error) }
    var pool: PixelBufferPool { sink.pool }
}
