// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// The streams of one microphone.
struct ALSAStreams: DeviceStreams {
    private let microphone: FoundMicrophone
    private let finder: SoundFinder
    /// The format that is asked for until one is agreed upon, and that one from then on.
    private var wanted: AudioFormat?
    private var isAgreed = false
    private var timeline = SoundTimeline(sampleRate: 48_000)

    /// A microphone that has given sound, and then nothing for so long, has stalled.
    private static let stallTime = Duration.seconds(3)
    /// How much is handed on at once at the most, as a part of a second: levels are to move 20 times a second, also
    /// when a card is read late.
    private static let longestPart = 25
    /// How soon a card that wakes from the machine's sleep is asked again.
    private static let wakingPause = Duration.milliseconds(50)
    private static let shortPause = Duration.milliseconds(2)

    /// - Parameters:
    ///   - microphone: what it runs.
    ///   - wanted: the format that is wanted, as near as the card can; nil leaves it to the card.
    ///   - finder: finds the microphone again when it was unplugged.
    init(microphone: FoundMicrophone, wanted: AudioFormat?, finder: SoundFinder) {
        self.microphone = microphone
        self.wanted = wanted
        self.finder = finder
    }

    var name: String { microphone.name }
    var format: SourceFormat? { SourceFormat(audio: wanted ?? AudioFormat()) }

    func path() -> String? { finder.path(of: microphone) }

    mutating func run(_ life: RunLife) throws(ObscuraError) {
        // Another microphone may have its node by now.
        guard let path = path() else { throw .system(ENODEV, microphone.path, "") }
        let pcm = try ALSAPCM.opened(path: path, namesHolders: !life.hasStarted)
        let format = try agree(with: pcm)
        try pcm.start()
        life.started(SourceFormat(audio: format))
        timeline.beginStream(.anew)
        var deadline = HostTime.now + max(Self.stallTime, life.recovery.patience)
        // Whether there was sound since the last start. A card that overruns without sound must stall after all.
        var hasSound = false
        while !life.isOver {
            let wait = pcm.wait(with: life.eventFD, until: deadline)
            if wait == .signaled || wait == .timedOut { return }
            switch try pcm.state() {
            case .overrun:
                try pcm.start()
                timeline.beginStream(.afterLoss)
                // This process may have been stopped for longer than the stall time; the card is not to blame.
                if hasSound { deadline = .now + Self.stallTime }
                hasSound = false
            case .suspended:
                while try !pcm.wake() {
                    if life.eventFD.wait(with: nil, until: .now + Self.wakingPause) == .signaled { return }
                }
                timeline.beginStream(.afterLoss)
            case .running(let waiting, let available, let stamp):
                let count = try read(pcm, format, (waiting, available, stamp), life)
                if count > 0 {
                    hasSound = true
                    deadline = .now + Self.stallTime
                } else if wait == .failed {
                    throw ObscuraError(.capture, .deviceFailed, subject: path, reason: "its driver gave the stream up")
                } else {
                    // A plug-in that wakes for nothing must not be asked in a circle.
                    _ = life.eventFD.wait(with: nil, until: .now + Self.shortPause)
                }
            }
        }
    }

    /// The first time as near to what is wanted as the card can; then the same again.
    private mutating func agree(with pcm: ALSAPCM) throws(ObscuraError) -> AudioFormat {
        let format = try pcm.agree(on: wanted).format
        if isAgreed, format != wanted {
            throw ObscuraError(
                .capture, .unsupportedFormat, subject: microphone.name,
                reason: "it gives \(format) now, and gave \(wanted?.description ?? "") before")
        }
        if !isAgreed { timeline = SoundTimeline(sampleRate: format.sampleRate) }
        wanted = format
        isAgreed = true
        return format
    }

    /// Hands on what is there, in parts. Returns how many frames that were.
    private mutating func read(
        _ pcm: ALSAPCM, _ format: AudioFormat, _ state: (waiting: Int, available: Int, stamp: HostTime?),
        _ life: RunLife
    ) throws(ObscuraError) -> Int {
        let now = HostTime.now
        let most = max(1, format.sampleRate / Self.longestPart)
        var done = 0
        while done < state.available, !life.isOver {
            guard let samples = try pcm.read(min(most, state.available - done)) else { break }
            let count = samples.count / format.channelCount
            if count == 0 { break }
            let place = timeline.place(count, waiting: state.waiting - done, stamp: state.stamp, now: now)
            done += count
            var attachments = AudioBuffer.Attachments()
            attachments.gap = place.gap
            attachments.isDiscontinuity = place.isDiscontinuity
            attachments.isTimeEstimated = place.isTimeEstimated
            attachments.dequeueTime = now
            life.delivered(at: now)
            life.sink.receive(
                AudioBuffer(
                    format: format, samples: samples, presentationTime: place.time.mediaTime, hostTime: place.time,
                    position: place.position, attachments: attachments))
        }
        return done
    }
}
