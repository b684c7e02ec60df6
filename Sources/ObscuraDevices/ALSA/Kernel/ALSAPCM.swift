// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA
internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// One open PCM of libasound (snd_pcm_t) from which sound is taken. It never blocks but in ``wait(with:until:)``.
///
/// For one thread at a time, as libasound's objects are. What must happen in order (agree, start, read) is the
/// business of ``ALSAStreams``.
final class ALSAPCM {
    /// What a PCM can be asked for when it was opened.
    enum State {
        /// Sound comes.
        ///
        /// - Parameters:
        ///   - waiting: how many frames have been taken and not read, also those that the card still holds back.
        ///   - available: how many of them can be read.
        ///   - stamp: when that was so, on CLOCK_MONOTONIC; nil where the PCM does not say.
        case running(waiting: Int, available: Int, stamp: HostTime?)
        /// It stopped, since nobody read for longer than its buffer lasts.
        case overrun
        /// The machine slept.
        case suspended
    }

    /// libasound's name for it, such as `hw:0,0`.
    let name: String
    /// What errors are about: the node, or the name.
    let subject: String
    /// What was agreed upon; nil before.
    private(set) var agreement: ALSAAgreement?
    let pointer: OpaquePointer
    private let status: OpaquePointer
    private let namesHolders: Bool

    /// Opens it. Does not wait for one that is in use.
    ///
    /// - Parameters:
    ///   - name: libasound's.
    ///   - subject: the node that is behind it, by which errors find out whose it is and who has it; the name where
    ///     there is no such node.
    ///   - namesHolders: whether the error of a busy one says who has it.
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

    /// Opens the device at a node such as `/dev/snd/pcmC0D0c`; a path that is no such node is a name of libasound's.
    ///
    /// The card itself is opened, without anything between: its stamps are true, and every conversion is made once,
    /// by whoever wants it. Only a card that gives nothing of what ``ALSASampleLayout`` knows is opened through
    /// libasound's conversion.
    static func opened(path: String, namesHolders: Bool) throws(ObscuraError) -> ALSAPCM {
        guard let numbers = SoundNode.numbers(BusPath.lastPart(of: path)) else {
            return try ALSAPCM(name: path, subject: path, namesHolders: namesHolders)
        }
        let address = "\(numbers.card),\(numbers.device)"
        do {
            let pcm = try ALSAPCM(name: "hw:\(address)", subject: path, namesHolders: namesHolders)
            if pcm.givesKnownSamples { return pcm }
        }
        // The former is closed by now: a card has one stream most often.
        return try ALSAPCM(name: "plughw:\(address)", subject: path, namesHolders: namesHolders)
    }

    /// Whether its samples can be read as they are.
    private var givesKnownSamples: Bool {
        quietly {
            ALSASampleLayout.allCases.contains { ALSAParameters(of: pointer)?.take($0) == true }
        }
    }

    func failure(_ status: Int, _ what: String) -> ObscuraError {
        .sound(Int32(clamping: status), subject, what, namesHolders: namesHolders)
    }

    func agreed(_ agreement: ALSAAgreement) {
        self.agreement = agreement
    }

    // MARK: The stream

    /// Starts it, or starts it again after an overrun.
    func start() throws(ObscuraError) {
        let status = quietly {
            let prepared = snd_pcm_prepare(pointer)
            return prepared < 0 ? prepared : snd_pcm_start(pointer)
        }
        guard status >= 0 else { throw failure(Int(status), "it does not start") }
    }

    /// Wakes it after the machine has slept. Returns false if it needs more time for that.
    func wake() throws(ObscuraError) -> Bool {
        // What cannot go on where it was (ENOSYS) begins anew; so does what can, since its counts are of no use.
        if quietly({ snd_pcm_resume(pointer) }) == -EAGAIN { return false }
        _ = quietly { snd_pcm_drop(pointer) }
        try start()
        return true
    }

    /// How it stands at this moment.
    func state() throws(ObscuraError) -> State {
        // First, since a plug-in fetches what its card has only when it is asked in this way.
        let updated = quietly { snd_pcm_avail_update(pointer) }
        let answer = updated < 0 ? Int32(clamping: updated) : quietly { snd_pcm_status(pointer, status) }
        switch answer {
        case 0...: break
        case -EPIPE: return .overrun
        case -ESTRPIPE: return .suspended
        default: throw failure(Int(answer), "it does not say how it stands")
        }
        switch snd_pcm_status_get_state(status) {
        case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING: break
        case SND_PCM_STATE_SUSPENDED: return .suspended
        case SND_PCM_STATE_DISCONNECTED: throw failure(Int(-ENODEV), "")
        default: return .overrun
        }
        let available = Int(clamping: snd_pcm_status_get_avail(status))
        // A driver that knows more says how much is under way behind its buffer, as on USB.
        let delay = Int(clamping: snd_pcm_status_get_delay(status))
        var time = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(status, &time)
        let nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        return .running(
            waiting: max(available, delay), available: available,
            stamp: nanoseconds > 0 ? HostTime(nanoseconds: nanoseconds) : nil)
    }

    /// Reads at most so many sample frames; fewer, or none, if fewer are there. Nil if it has stopped: its state
    /// says why.
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

    /// Blocks until there is something to read, the event descriptor is signaled, or the deadline has passed.
    func wait(with eventFD: EventFD, until deadline: HostTime) -> EventFD.Wait {
        let count = max(0, snd_pcm_poll_descriptors_count(pointer))
        var entries = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: Int(count))
        guard snd_pcm_poll_descriptors(pointer, &entries, UInt32(count)) == count else { return .failed }
        while true {
            let wait = eventFD.wait(withAny: &entries, until: deadline)
            guard wait == .ready else { return wait }
            // What the descriptors mean is the PCM's secret: those of a plug-in may wake for another reason.
            var events: UInt16 = 0
            let status = snd_pcm_poll_descriptors_revents(pointer, &entries, UInt32(count), &events)
            guard status == 0 else { return .failed }
            if events & UInt16(POLLERR | POLLNVAL | POLLHUP) != 0 { return .failed }
            if events & UInt16(POLLIN) != 0 { return .ready }
        }
    }
}

extension ObscuraError {
    /// What an error number of libasound means.
    static func sound(
        _ status: Int32, _ subject: String, _ what: String, namesHolders: Bool = true
    ) -> ObscuraError {
        var number = -status
        // In an open that is refused at once, EAGAIN says the same as EBUSY.
        if number == EAGAIN { number = EBUSY }
        // A card that may not be opened is for libasound one that is not there.
        if number == ENOENT, access(subject, F_OK) == 0, access(subject, R_OK | W_OK) != 0 { number = EACCES }
        return .system(number, subject, what, namesHolders: namesHolders)
    }
}
