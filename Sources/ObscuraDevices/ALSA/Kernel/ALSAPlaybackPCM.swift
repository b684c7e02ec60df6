// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA
internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// An open playback PCM of libasound (snd_pcm_t). Opening, and ``wait(with:until:)``, may block.
///
/// For one thread at a time, like libasound's objects. Call ``agree(on:latency:)`` before anything is written; the first
/// write starts the stream.
final class ALSAPlaybackPCM {
    /// The state of an open PCM.
    enum State: Sendable, Hashable {
        /// The PCM plays, or waits for its first audio. `room` is the number of frames that can be written.
        case ready(room: Int)
        /// The PCM stopped because it ran out of audio.
        case underrun
        /// The PCM stopped because the machine was suspended.
        case suspended
    }

    private let subject: String
    private let pointer: OpaquePointer
    private var bytesPerFrame = 1

    /// Opens a PCM. Does not wait for one that is in use.
    ///
    /// - Parameter device: a name of libasound's, such as `default` or `hw:0,0`, or a device node such as
    ///   `/dev/snd/pcmC0D0p`, which is opened through libasound's conversion.
    /// - Throws: ``ObscuraError``: `notAuthorized`, `noSuchDevice`, `deviceInUse` …
    init(opening device: String) throws(ObscuraError) {
        subject = device
        var pcm: OpaquePointer?
        let name = Self.name(of: device)
        let opened = quietly { snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK) }
        guard opened == 0, let pcm else {
            throw [-ENOENT, -ENODEV, -ENXIO].contains(opened) && access(device, F_OK) != 0
                ? .noPlaybackDevice(device) : .sound(opened, device, "it cannot be opened")
        }
        pointer = pcm
    }

    deinit {
        _ = quietly { snd_pcm_close(pointer) }
    }

    /// Returns libasound's name for a device node; other names are returned unchanged.
    static func name(of device: String) -> String {
        let node = BusPath.lastPart(of: device)
        guard device.hasPrefix("/dev/"), node.hasSuffix("p"),
            let numbers = SoundNode.numbers(String(node.dropLast()) + "c")
        else { return device }
        return "plughw:\(numbers.card),\(numbers.device)"
    }

    /// Negotiates the format closest to the requested one, and a buffer of the duration of the latency.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedFormat` if it has no supported format.
    func agree(on requested: AudioFormat, latency: Duration) throws(ObscuraError) -> ALSAAgreement {
        let microseconds = UInt32(clamping: latency.wholeNanoseconds / 1000)
        let parameters: ALSAParameters? = quietly { ALSAParameters(of: pointer) }
        guard let parameters else { throw unsupported("it does not support interleaved access") }
        let agreement: ALSAAgreement? = quietly {
            parameters.settle(near: requested, buffer: microseconds, period: microseconds / 4)
        }
        guard let agreement else { throw unsupported("none of its formats is supported") }
        let status = quietly { snd_pcm_hw_params(pointer, parameters.pointer) }
        guard status >= 0 else { throw failure(Int(status), "it rejects \(agreement.format)") }
        let result = agreement.with(parameters.sizes)
        try setWakeUps(result)
        bytesPerFrame = agreement.layout.byteCount * agreement.format.channelCount
        return result
    }

    /// Enables a wake-up per period of room.
    private func setWakeUps(_ agreement: ALSAAgreement) throws(ObscuraError) {
        var memory: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&memory) == 0, let parameters = memory else {
            throw failure(Int(-ENOMEM), "it cannot be configured")
        }
        defer { snd_pcm_sw_params_free(parameters) }
        let status = quietly {
            snd_pcm_sw_params_current(pointer, parameters)
            snd_pcm_sw_params_set_avail_min(pointer, parameters, snd_pcm_uframes_t(max(1, agreement.periodFrames)))
            return snd_pcm_sw_params(pointer, parameters)
        }
        guard status >= 0 else { throw failure(Int(status), "it cannot be configured") }
    }

    // MARK: Stream

    /// Returns the current state.
    ///
    /// - Throws: ``ObscuraError`` if it cannot be read.
    func state() throws(ObscuraError) -> State {
        let room = quietly { snd_pcm_avail_update(pointer) }
        switch room {
        case 0...: return .ready(room: Int(clamping: room))
        case Int(-EPIPE): return .underrun
        case Int(-ESTRPIPE): return .suspended
        default: throw failure(Int(room), "its state cannot be read")
        }
    }

    /// The number of frames that were written but not heard yet; 0 if it does not play.
    var delay: Int {
        var frames: snd_pcm_sframes_t = 0
        return quietly { snd_pcm_delay(pointer, &frames) } == 0 ? max(0, Int(clamping: frames)) : 0
    }

    /// Writes whole frames, as far as there is room. Returns the number of frames; nil if it has stopped, see
    /// ``state()``.
    func write(_ bytes: ArraySlice<UInt8>) throws(ObscuraError) -> Int? {
        let count = bytes.count / bytesPerFrame
        let answer = quietly {
            bytes.withUnsafeBytes { snd_pcm_writei(pointer, $0.baseAddress, snd_pcm_uframes_t(count)) }
        }
        switch answer {
        case 0...: return Int(clamping: answer)
        case Int(-EAGAIN): return 0
        case Int(-EPIPE), Int(-ESTRPIPE): return nil
        default: throw failure(Int(answer), "it cannot be written")
        }
    }

    /// Prepares it for new audio, after an underrun.
    func prepare() throws(ObscuraError) {
        let status = quietly { snd_pcm_prepare(pointer) }
        guard status >= 0 else { throw failure(Int(status), "it cannot be started") }
    }

    /// Prepares it after the machine was suspended. Returns false if the card needs more time.
    func wake() throws(ObscuraError) -> Bool {
        if quietly({ snd_pcm_resume(pointer) }) == -EAGAIN { return false }
        _ = quietly { snd_pcm_drop(pointer) }
        try prepare()
        return true
    }

    /// Stops at once; audio that was not heard yet is discarded.
    func drop() {
        _ = quietly { snd_pcm_drop(pointer) }
    }

    /// Blocks until there is room, the event descriptor is signaled, or the deadline has passed.
    func wait(with eventFD: EventFD, until deadline: HostTime) -> EventFD.Wait {
        ALSAWaiting.wait(for: pointer, event: POLLOUT, with: eventFD, until: deadline)
    }

    // MARK: Errors

    private func failure(_ status: Int, _ what: String) -> ObscuraError {
        .sound(Int32(clamping: status), subject, what)
    }

    private func unsupported(_ reason: String) -> ObscuraError {
        ObscuraError(
            .capture, .unsupportedFormat, subject: subject, reason: reason,
            advice: "Let libasound convert the sound: choose the device plug:\(subject).")
    }
}

extension ObscuraError {
    fileprivate static func noPlaybackDevice(_ device: String) -> ObscuraError {
        ObscuraError(
            .capture, .noSuchDevice, subject: device, reason: "there is no such playback device",
            advice: "Choose a name that aplay -L lists, connect a sound card, or start a sound server.", errno: ENOENT
        )
    }
}
