// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA
internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// An open capture PCM of libasound (snd_pcm_t). Only ``wait(with:until:)`` blocks.
///
/// For one thread at a time, like libasound's objects. ``ALSAStreams`` calls it in the required order: agree, start,
/// read.
final class ALSAPCM {
    /// The state of an open PCM.
    enum State {
        /// The PCM captures sound.
        ///
        /// - Parameters:
        ///   - waiting: the number of captured frames not yet read, including those still inside the card.
        ///   - available: the number of frames that can be read.
        ///   - stamp: the time of these counts on CLOCK_MONOTONIC; nil if the PCM reports no time.
        case running(waiting: Int, available: Int, stamp: HostTime?)
        /// The PCM stopped because its buffer was full.
        case overrun
        /// The PCM stopped because the machine was suspended.
        case suspended
    }

    /// libasound's name for it, such as `hw:0,0`.
    let name: String
    /// The subject of errors: the node, or the name.
    let subject: String
    /// The negotiated format; nil before the negotiation.
    private(set) var agreement: ALSAAgreement?
    let pointer: OpaquePointer
    private let status: OpaquePointer
    private let namesHolders: Bool

    /// Opens a PCM. Does not wait for one that is in use.
    ///
    /// - Parameters:
    ///   - name: libasound's name.
    ///   - subject: the node, by which errors determine its permissions and users; the name if there is no node.
    ///   - namesHolders: whether the error of a busy PCM names the processes that hold it.
    /// - Throws: ``ObscuraError``: `notAuthorized`, `noSuchDevice`, `deviceInUse`, `deviceDisconnected` …
    init(name: String, subject: String, namesHolders: Bool = true) throws(ObscuraError) {
        var pcm: OpaquePointer?
        let opened = quietly { snd_pcm_open(&pcm, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK) }
        guard opened == 0, let pcm else {
            throw .sound(opened, subject, "it cannot be opened", namesHolders: namesHolders)
        }
        var status: OpaquePointer?
        guard snd_pcm_status_malloc(&status) == 0, let status else {
            snd_pcm_close(pcm)
            throw .sound(-ENOMEM, subject, "it cannot be opened")
        }
        self.name = name
        self.subject = subject
        self.namesHolders = namesHolders
        self.status = status
        pointer = pcm
    }

    deinit {
        snd_pcm_status_free(status)
        _ = quietly { snd_pcm_close(pointer) }
    }

    /// Opens the device at a node such as `/dev/snd/pcmC0D0c`; any other path is a name of libasound's.
    ///
    /// Opens the card directly, for exact time stamps, and since readers convert sound themselves. A card without any
    /// layout of ``ALSASampleLayout``, or with too many channels for a format, is opened through libasound's conversion.
    static func opened(path: String, namesHolders: Bool) throws(ObscuraError) -> ALSAPCM {
        guard let numbers = SoundNode.numbers(BusPath.lastPart(of: path)) else {
            return try ALSAPCM(name: path, subject: path, namesHolders: namesHolders)
        }
        let address = "\(numbers.card),\(numbers.device)"
        do {
            let pcm = try ALSAPCM(name: "hw:\(address)", subject: path, namesHolders: namesHolders)
            if pcm.hasKnownFormat { return pcm }
        }
        // The direct one is closed by now: most cards have one stream.
        return try ALSAPCM(name: "plughw:\(address)", subject: path, namesHolders: namesHolders)
    }

    /// Whether it has a supported sample layout and number of channels.
    private var hasKnownFormat: Bool {
        quietly {
            guard let all = ALSAParameters(of: pointer) else { return false }
            return ALSASampleLayout.allCases.contains { layout in
                guard let least = all.with(layout)?.channelRange.least else { return false }
                return AudioFormat(channelCount: least).channelCount >= least
            }
        }
    }

    func failure(_ status: Int, _ what: String) -> ObscuraError {
        .sound(Int32(clamping: status), subject, what, namesHolders: namesHolders)
    }

    func agreed(_ agreement: ALSAAgreement) {
        self.agreement = agreement
    }

    // MARK: Stream

    /// Starts the stream, or restarts it after an overrun.
    func start() throws(ObscuraError) {
        let status = quietly {
            let prepared = snd_pcm_prepare(pointer)
            return prepared < 0 ? prepared : snd_pcm_start(pointer)
        }
        guard status >= 0 else { throw failure(Int(status), "it cannot be started") }
    }

    /// Resumes after the machine was suspended. Returns false if the card needs more time.
    func wake() throws(ObscuraError) -> Bool {
        // Restarts in any case: a card that can resume reports counts from before the suspension.
        if quietly({ snd_pcm_resume(pointer) }) == -EAGAIN { return false }
        _ = quietly { snd_pcm_drop(pointer) }
        try start()
        return true
    }

    /// Returns the current state.
    ///
    /// - Throws: ``ObscuraError`` if it cannot be read.
    func state() throws(ObscuraError) -> State {
        // Called first, since it makes plug-ins fetch the frames of their card.
        let updated = quietly { snd_pcm_avail_update(pointer) }
        let answer = updated < 0 ? Int32(clamping: updated) : quietly { snd_pcm_status(pointer, status) }
        switch answer {
        case 0...: break
        case -EPIPE: return .overrun
        case -ESTRPIPE: return .suspended
        default: throw failure(Int(answer), "its state cannot be read")
        }
        switch snd_pcm_status_get_state(status) {
        case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING: break
        case SND_PCM_STATE_SUSPENDED: return .suspended
        case SND_PCM_STATE_DISCONNECTED: throw failure(Int(-ENODEV), "")
        default: return .overrun
        }
        let available = Int(clamping: snd_pcm_status_get_avail(status))
        // The delay includes frames that have not reached the buffer, as on USB.
        let delay = Int(clamping: snd_pcm_status_get_delay(status))
        var time = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(status, &time)
        let seconds = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let nanoseconds = seconds.overflow ? 0 : seconds.partialValue &+ Int64(time.tv_nsec)
        return .running(
            waiting: max(available, delay), available: available,
            stamp: nanoseconds > 0 ? HostTime(nanoseconds: nanoseconds) : nil)
    }

    /// Reads up to `count` sample frames, as far as they are available. Nil if it has stopped; see ``state()``.
    func read(_ count: Int) throws(ObscuraError) -> AudioBuffer.Samples? {
        guard let agreement, count > 0 else { return nil }
        let channels = agreement.format.channelCount
        switch agreement.layout {
        case .float32: return try read(count, of: channels, Float.self).map { .float32($0) }
        case .int32: return try read(count, of: channels, Int32.self).map { .int32($0) }
        case .int24:
            return try read(count, of: channels, Int32.self).map { .int32(ALSASampleLayout.widened(int24: $0)) }
        case .packed24:
            return try read(count, of: 3 * channels, UInt8.self)
                .map { .int32(ALSASampleLayout.widened(packed24: $0)) }
        case .int16: return try read(count, of: channels, Int16.self).map { .int16($0) }
        case .uint8:
            return try read(count, of: channels, UInt8.self).map { .int16(ALSASampleLayout.widened(uint8: $0)) }
        }
    }

    private func read<Element>(
        _ count: Int, of elements: Int, _ type: Element.Type
    ) throws(ObscuraError) -> [Element]? {
        var answer = 0
        let samples = quietly {
            [Element](unsafeUninitializedCapacity: count * elements) { memory, initialized in
                answer = snd_pcm_readi(pointer, memory.baseAddress, snd_pcm_uframes_t(count))
                initialized = max(0, min(answer, count)) * elements
            }
        }
        switch answer {
        case 0..., Int(-EAGAIN): return samples
        case Int(-EPIPE), Int(-ESTRPIPE): return nil
        default: throw failure(answer, "it cannot be read")
        }
    }

    // MARK: Waiting

    /// Blocks until frames are available, the event descriptor is signaled, or the deadline has passed.
    func wait(with eventFD: EventFD, until deadline: HostTime) -> EventFD.Wait {
        ALSAWaiting.wait(for: pointer, event: POLLIN, with: eventFD, until: deadline)
    }
}

extension ObscuraError {
    /// Returns the error for an error number of libasound.
    static func sound(
        _ status: Int32, _ subject: String, _ what: String, namesHolders: Bool = true
    ) -> ObscuraError {
        var number = -status
        // A non-blocking open reports a busy PCM with EAGAIN.
        if number == EAGAIN { number = EBUSY }
        // libasound reports a card without permission as missing.
        if number == ENOENT, access(subject, F_OK) == 0, access(subject, R_OK | W_OK) != 0 { number = EACCES }
        return .system(number, subject, what, namesHolders: namesHolders)
    }
}
