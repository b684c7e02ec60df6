// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The streams of one microphone.
struct ALSAStreams: DeviceStreams {
    private let microphone: FoundDevice
    private let finder: any DeviceFinder
    /// The requested format; from the first agreement on the agreed one.
    private var requested: AudioFormat?
    private var isAgreed = false
    private var timeline = SoundTimeline(sampleRate: 48_000)

    /// Minimum number of deliveries per second of sound: levels change 20 times a second, even if a card is read late.
    private static let deliveriesPerSecond = 25
    /// Interval of queries while a card resumes from the machine's sleep.
    private static let wakingPause = Duration.milliseconds(50)
    private static let shortPause = Duration.milliseconds(2)

    /// Creates the streams.
    ///
    /// - Parameters:
    ///   - microphone: the microphone.
    ///   - requested: the requested format, of which the closest possible one is used; nil for the card's own choice.
    ///   - finder: locates the microphone when it is connected again.
    init(microphone: FoundDevice, requested: AudioFormat?, finder: any DeviceFinder) {
        self.microphone = microphone
        self.requested = requested
        self.finder = finder
    }

    var name: String { microphone.name }
    var format: SourceFormat? { SourceFormat(audio: requested ?? AudioFormat()) }

    func path() -> String? { finder.path(of: microphone) }

    mutating func run(_ life: RunLife) throws(ObscuraError) {
        let path = try finder.currentPath(of: microphone)
        let pcm = try ALSAPCM.opened(path: path, namesHolders: !life.hasStarted)
        let format = try agree(with: pcm)
        try pcm.start()
        life.started(SourceFormat(audio: format))
        timeline.beginStream(.anew)
        var deadline = StallDeadline(first: life.recovery.patience)
        // Whether sound arrived since the last start. A card that overruns without any sound stalls.
        var hasSound = false
        while !life.isOver {
            let wait = pcm.wait(with: life.eventFD, until: deadline.time)
            if wait == .signaled || wait == .timedOut { return }
            switch try pcm.state() {
            case .overrun:
                try pcm.start()
                timeline.beginStream(.afterLoss)
                // This process may have been stopped for longer than the stall time.
                if hasSound { deadline.restart() }
                hasSound = false
                if .now >= deadline.time { return }
            case .suspended:
                while try !pcm.wake() {
                    let pause = life.eventFD.wait(with: nil, until: .now + Self.wakingPause)
                    if pause == .signaled || .now >= deadline.time { return }
                }
                timeline.beginStream(.afterLoss)
            case .running(let waiting, let available, let stamp):
                let count = try read(pcm, format, (waiting, available, stamp), life)
                if count > 0 {
                    hasSound = true
                    deadline.restart()
                } else if wait == .failed {
                    throw ObscuraError(.capture, .deviceFailed, subject: path, reason: "its driver ended the stream")
                } else {
                    // Prevents a busy loop with a plug-in that wakes without sound. The wait for it never times out.
                    let pause = life.eventFD.wait(with: nil, until: .now + Self.shortPause)
                    if pause == .signaled || .now >= deadline.time { return }
                }
            }
        }
    }

    /// Agrees on the closest format the first time, and on the same one later.
    private mutating func agree(with pcm: ALSAPCM) throws(ObscuraError) -> AudioFormat {
        let format = try pcm.agree(on: requested).format
        if isAgreed, format != requested {
            throw ObscuraError(
                .capture, .unsupportedFormat, subject: microphone.name,
                reason: "its format has changed from \(requested?.description ?? "") to \(format)")
        }
        if !isAgreed { timeline = SoundTimeline(sampleRate: format.sampleRate) }
        requested = format
        isAgreed = true
        return format
    }

    /// Delivers the available sound in parts. Returns the number of sample frames.
    private mutating func read(
        _ pcm: ALSAPCM, _ format: AudioFormat, _ state: (waiting: Int, available: Int, stamp: HostTime?),
        _ life: RunLife
    ) throws(ObscuraError) -> Int {
        let now = HostTime.now
        let limit = max(1, format.sampleRate / Self.deliveriesPerSecond)
        var done = 0
        while done < state.available, !life.isOver {
            guard let samples = try pcm.read(min(limit, state.available - done)) else { break }
            let count = samples.count / format.channelCount
            if count == 0 { break }
            let place = timeline.place(count, waiting: state.waiting - done, stamp: state.stamp, now: now)
            done += count
            life.delivered(at: now)
            life.sink.receive(
                AudioBuffer(
                    format: format, samples: samples, presentationTime: place.time.mediaTime, hostTime: place.time,
                    position: place.position, attachments: timeline.attachments(of: place, dequeued: now)))
        }
        return done
    }
}
