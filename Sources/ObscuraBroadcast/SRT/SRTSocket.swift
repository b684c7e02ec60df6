// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CSRT
internal import Glibc
internal import ObscuraMedia
internal import ObscuraMovies

/// An SRT connection in live mode that sends messages. One thread at a time.
///
/// Messages that would arrive too late are dropped by libsrt and counted. The control ends all waits.
final class SRTSocket {
    /// The message size of libsrt: seven MPEG-TS packets.
    static let messageSize: Int32 = 1316
    /// Interval in milliseconds between checks of the control during a wait.
    private static let glance: Int64 = 100
    /// Minimum time for an address of a name with many addresses.
    private static let shortestAttempt = Duration.seconds(1)

    private let address: SRTAddress
    private let control: ReadControl
    private var socket: SRTSOCKET = -1
    private var poll: Int32 = -1

    /// Connects, or waits for a caller.
    init(
        _ address: SRTAddress, settings: BroadcastSettings, control: ReadControl
    ) throws(ObscuraError) {
        self.address = address
        self.control = control
        guard Self.isStarted else { throw .outOfMemory(.broadcast, address.name) }
        poll = srt_epoll_create()
        guard poll >= 0 else { throw .outOfMemory(.broadcast, address.name) }
        let endpoints = try Endpoint.resolve(
            address.host, port: address.port, subject: address.name, control: control)
        // A name often has an IPv6 and an IPv4 address of which only one responds, such as localhost: an address must not
        // use up the time of the others.
        let time = settings.connectTimeout
        let share = min(time, max(Self.shortestAttempt, time / endpoints.count))
        var failure: ObscuraError?
        for endpoint in endpoints {
            do throws(ObscuraError) {
                try open(settings, timeout: share)
                if address.mode == .listener { try accept(endpoint) } else { try connect(endpoint) }
                return
            } catch {
                failure = failure ?? error
                close()
            }
            if control.mustEnd { break }
        }
        throw failure ?? .hostNotFound(address.name, address.host)
    }

    deinit {
        close()
        if poll >= 0 { srt_epoll_release(poll) }
    }

    /// Sends a message; blocks while the buffer is full. Returns false if the connection is lost or the control ends
    /// the wait.
    func send(_ message: UnsafeRawBufferPointer) -> Bool {
        guard let bytes = message.bindMemory(to: CChar.self).baseAddress else { return true }
        while !control.mustEnd {
            if srt_send(socket, bytes, Int32(message.count)) >= 0 { return true }
            guard srt_getlasterror(nil) == SRT_EASYNCSND.rawValue else { return false }
            wait()
        }
        return false
    }

    /// Whether the connection is open.
    var isConnected: Bool { srt_getsockstate(socket) == SRTS_CONNECTED }

    var path: NetworkPath {
        var numbers = CBytePerfMon()
        guard srt_bstats(socket, &numbers, 0) == 0 else { return NetworkPath() }
        return NetworkPath(
            roundTrip: .nanoseconds(Int64(numbers.msRTT * 1_000_000)), unsentBytes: Int(numbers.byteSndBuf),
            unsentTime: .milliseconds(Int64(numbers.msSndBuf)), lostMessages: Int(numbers.pktSndDropTotal))
    }

    // MARK: Opening

    private func open(_ settings: BroadcastSettings, timeout: Duration) throws(ObscuraError) {
        socket = srt_create_socket()
        guard socket >= 0 else { throw failure("cannot create a socket") }
        try set(SRTO_SNDSYN, 0)
        try set(SRTO_RCVSYN, 0)
        try set(SRTO_LATENCY, Int32(clamping: address.latency))
        try set(SRTO_CONNTIMEO, Self.milliseconds(timeout))
        try set(SRTO_PEERIDLETIMEO, Self.milliseconds(settings.sendTimeout))
        obscura_srt_set_linger(socket, 1)
        if let passphrase = address.passphrase {
            try set(SRTO_PBKEYLEN, Int32(clamping: address.keyLength))
            // A libsrt that was built without encryption rejects the option: nothing may be sent then.
            try set(SRTO_PASSPHRASE, passphrase)
        }
        if let streamID = address.streamID { try set(SRTO_STREAMID, streamID) }
    }

    private func connect(_ endpoint: Endpoint) throws(ObscuraError) {
        watch(socket, for: SRT_EPOLL_OUT)
        guard endpoint.withAddress({ srt_connect(socket, $0, $1) }) >= 0 else { throw refusal() }
        while srt_getsockstate(socket) == SRTS_CONNECTING {
            guard !control.mustEnd else { throw ended("the listener did not answer in time") }
            wait()
        }
        guard isConnected else { throw refusal() }
    }

    private func accept(_ endpoint: Endpoint) throws(ObscuraError) {
        guard endpoint.withAddress({ srt_bind(socket, $0, $1) }) >= 0 else {
            throw ObscuraError(
                .broadcast, .connectionFailed, subject: address.name, reason: "cannot listen on this address",
                advice: "Use an address of this machine, and a port that no other program uses.",
                libraryMessage: Self.words)
        }
        guard srt_listen(socket, 1) >= 0 else { throw failure("cannot listen") }
        watch(socket, for: SRT_EPOLL_IN)
        while true {
            let caller = srt_accept(socket, nil, nil)
            if caller >= 0 {
                // No other caller is accepted while this one is connected.
                srt_close(socket)
                socket = caller
                watch(socket, for: SRT_EPOLL_OUT)
                return
            }
            guard srt_getlasterror(nil) == SRT_EASYNCRCV.rawValue else { throw failure("cannot accept callers") }
            guard !control.mustEnd else { throw ended("no caller has connected") }
            wait()
        }
    }

    private func close() {
        if socket >= 0 { srt_close(socket) }
        socket = -1
    }

    /// Waits briefly for the events that are registered for the socket.
    private func wait() {
        var ready: (SRTSOCKET, SRTSOCKET) = (0, 0)
        var (readCount, writeCount): (Int32, Int32) = (1, 1)
        srt_epoll_wait(poll, &ready.0, &readCount, &ready.1, &writeCount, Self.glance, nil, nil, nil, nil)
    }

    private func watch(_ socket: SRTSOCKET, for event: SRT_EPOLL_OPT) {
        var events = Int32(bitPattern: event.rawValue | SRT_EPOLL_ERR.rawValue)
        srt_epoll_add_usock(poll, socket, &events)
    }

    private func set(_ option: SRT_SOCKOPT, _ value: Int32) throws(ObscuraError) {
        var value = value
        guard srt_setsockflag(socket, option, &value, Int32(MemoryLayout<Int32>.size)) >= 0 else {
            throw refusal(of: option)
        }
    }

    private func set(_ option: SRT_SOCKOPT, _ value: String) throws(ObscuraError) {
        let bytes = Array(value.utf8)
        guard srt_setsockflag(socket, option, bytes, Int32(clamping: bytes.count)) >= 0 else {
            throw refusal(of: option)
        }
    }

    private static func milliseconds(_ time: Duration) -> Int32 {
        Int32(clamping: time.wholeNanoseconds / 1_000_000)
    }

    private static let isStarted: Bool = {
        obscura_srt_be_quiet()
        return srt_startup() >= 0
    }()

    // MARK: Errors

    private static var words: String? { srt_getlasterror_str().map { String(cString: $0) } }

    private func failure(_ reason: String) -> ObscuraError {
        ObscuraError(.broadcast, .connectionFailed, subject: address.name, reason: reason, libraryMessage: Self.words)
    }

    private func refusal(of option: SRT_SOCKOPT) -> ObscuraError {
        let name: String =
            switch option {
            case SRTO_PASSPHRASE, SRTO_PBKEYLEN: "passphrase"
            case SRTO_STREAMID: "streamid"
            case SRTO_LATENCY: "latency"
            default: "timeouts"
            }
        return ObscuraError(
            .broadcast, .refused, subject: address.name, reason: "the installed libsrt does not accept the \(name)",
            libraryMessage: Self.words)
    }

    private func ended(_ reason: String) -> ObscuraError {
        control.isCancelled
            ? .cancelled(.broadcast, address.name)
            : ObscuraError(
                .broadcast, .timedOut, subject: address.name, reason: reason,
                advice: "Check the address, the port, and that no firewall blocks UDP.")
    }

    /// Returns the reason why a listener rejected the call.
    /// https://github.com/Haivision/srt/blob/v1.5.1/docs/API/rejection-codes.md
    private func refusal() -> ObscuraError {
        if control.isCancelled { return .cancelled(.broadcast, address.name) }
        let reason = srt_getrejectreason(socket)
        switch UInt32(bitPattern: reason) {
        case SRT_REJ_BADSECRET.rawValue, SRT_REJ_UNSECURE.rawValue:
            return ObscuraError(
                .broadcast, .notAuthorized, subject: address.name,
                reason: "the listener uses a different passphrase, or no passphrase",
                advice: "Use the same passphrase on both sides (?passphrase=).")
        case 1402:
            return ObscuraError(
                .broadcast, .connectionFailed, subject: address.name,
                reason: "the listener accepts no more connections at the moment",
                advice: "Try again later.")
        case 1400...1403:
            return ObscuraError(
                .broadcast, .notAuthorized, subject: address.name, reason: "the listener rejected the stream",
                advice: "Check the stream ID in the address (?streamid=).")
        case 1404:
            return ObscuraError(
                .broadcast, .notFound, subject: address.name, reason: "the listener has no stream with this stream ID",
                advice: "Check the stream ID in the address (?streamid=).")
        case SRT_REJ_UNKNOWN.rawValue, SRT_REJ_TIMEOUT.rawValue:
            return ObscuraError(
                .broadcast, .timedOut, subject: address.name, reason: "no listener answered",
                advice: "Check the address, the port, and that no firewall blocks UDP.")
        default:
            let text = srt_rejectreason_str(reason).map { String(cString: $0) } ?? "code \(reason)"
            return ObscuraError(
                .broadcast, .refused, subject: address.name, reason: "the listener rejected the connection",
                libraryMessage: text)
        }
    }
}
