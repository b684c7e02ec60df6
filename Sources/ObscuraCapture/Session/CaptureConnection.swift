// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraImaging
public import ObscuraMedia

/// The link between an input and an output for one media type. Its settings select the frames that are delivered, and
/// change the orientation of frames and the volume of audio.
///
/// Settings may be changed at any time, on any thread; a change takes effect with the next frame.
public final class CaptureConnection: Sendable {
    fileprivate struct State {
        var isEnabled = true
        var holdsSource = false
        var orientation = Orientation.up
        var isMirrored = false
        var effects: [VideoEffect] = []
        /// Whether readers apply their own effects.
        var readersHaveEffects = false
        var rateLimit: RateLimit?
        var frameStride = 1
        var counted = 0
        /// The source of the frames; frames of other sources are rejected.
        weak var source: (any ConnectionSource)?
        var input: CaptureDeviceInput?
        var epoch: UInt64 = 0
        /// The end of the source, until it restarts; readers that attach later get it too.
        var ending: Ending?
        /// The session that contains the output.
        weak var owner: (any AnyObject & Sendable)?
        var frameReaders: [FrameReader] = []
        var encodedReaders: [EncodedReader] = []
        var audioReaders: [AudioReader] = []
        var encodedAudioReaders: [EncodedAudioReader] = []
        /// The most recently detached readers, kept for their statistics.
        var formerReaders: [any ConnectionReader] = []

        var readers: [any ConnectionReader] { frameReaders + encodedReaders + audioReaders + encodedAudioReaders }
    }

    /// The name of the output, used in statistics and messages.
    public let outputName: String
    /// The media type: video or audio.
    public let mediaType: MediaType
    /// Counts the changes of the settings of ``complete(_:)``, and those of the output for its images.
    let settingsChanges = ChangeCount()
    private let state = Lock(State())
    private let metrics: ReaderMetrics
    /// The mixer that applies the volume and measures the level of audio.
    private let mixer = AudioMixer()

    package init(outputName: String, mediaType: MediaType) {
        self.outputName = outputName
        self.mediaType = mediaType
        metrics = ReaderMetrics(output: outputName, mediaType: mediaType)
    }

    deinit {
        for reader in readers { reader.close() }
    }

    /// The input that supplies the frames or the audio. Nil if the output is in no session, or if the session has no
    /// input for the media type.
    public var input: CaptureDeviceInput? { state.withLock { $0.input } }

    /// Whether frames are delivered to the output. If false, frames are counted as skipped.
    public var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    /// The audio channels, each with its level and volume; empty before the first audio buffer.
    public var audioChannels: [AudioChannel] { mixer.channels }

    /// The clockwise rotation of the image, in addition to the rotation that makes the frames of the source upright.
    public var orientation: Orientation {
        get { state.withLock { $0.orientation } }
        set {
            state.withLock { $0.orientation = newValue }
            settingsChanges.add()
        }
    }

    /// Whether the image is mirrored horizontally, after rotation.
    public var isMirrored: Bool {
        get { state.withLock { $0.isMirrored } }
        set {
            state.withLock { $0.isMirrored = newValue }
            settingsChanges.add()
        }
    }

    /// The effects on the image, applied in order after rotation and mirroring; see `VideoEffect`. Outputs with equal
    /// effects share the work.
    public var effects: [VideoEffect] {
        get { state.withLock { $0.effects } }
        set {
            let source = state.withLock { state in
                state.effects = newValue
                return state.source
            }
            settingsChanges.add()
            source?.fitPool()
        }
    }

    /// Sets the image settings of the connection in a request, as one consistent snapshot.
    func complete(_ request: inout ImageRequest) {
        let (orientation, isMirrored, effects) = state.withLock { ($0.orientation, $0.isMirrored, $0.effects) }
        request.orientation = orientation
        request.isMirrored = isMirrored
        request.effects = effects
    }

    /// Sets whether readers apply effects to their frames, and resizes the source's pool accordingly.
    package func readersHaveEffects(_ have: Bool) {
        let source = state.withLock { state in
            state.readersHaveEffects = have
            return state.source
        }
        source?.fitPool()
    }

    /// Number of extra images made of a frame besides the one that its reader gets: the images before and after the
    /// effects, from which other sizes and formats are made.
    var picturesBesideFrame: Int { state.withLock { $0.effects.isEmpty && !$0.readersHaveEffects ? 0 : 2 } }

    /// The minimum time between two delivered frames; nil delivers all frames. Frames in excess of this rate are
    /// skipped before any conversion.
    public var minFrameDuration: MediaTime? {
        get { state.withLock { $0.rateLimit?.interval } }
        set { state.withLock { $0.rateLimit = newValue.map(RateLimit.init(interval:)) } }
    }

    /// The stride n: only every n-th frame is delivered, starting with the first frame. 1 delivers all frames; smaller
    /// values count as 1.
    public var frameStride: Int {
        get { state.withLock { $0.frameStride } }
        set {
            state.withLock { state in
                state.frameStride = max(1, newValue)
                state.counted = 0
            }
        }
    }

    // MARK: Readers

    var readers: [any ConnectionReader] { state.withLock { $0.readers } }

    /// The most recently detached readers.
    var formerReaders: [any ConnectionReader] { state.withLock { $0.formerReaders } }

    /// The attached and the former readers in one snapshot, so that none is counted twice.
    var allReaders: (attached: [any ConnectionReader], former: [any ConnectionReader]) {
        state.withLock { ($0.readers, $0.formerReaders) }
    }

    private static let formerReadersKept = 16

    func attach(_ reader: any ConnectionReader) {
        reader.report(to: metrics)
        let (source, ending) = state.withLock { state in
            // Within the lock: a frame routed from now on has this epoch and reaches the reader.
            reader.enter(epoch: state.epoch)
            if let reader = reader as? FrameReader { state.frameReaders.append(reader) }
            if let reader = reader as? EncodedReader { state.encodedReaders.append(reader) }
            if let reader = reader as? AudioReader { state.audioReaders.append(reader) }
            if let reader = reader as? EncodedAudioReader { state.encodedAudioReaders.append(reader) }
            return (state.source, state.ending)
        }
        if let ending { reader.finish(throwing: ending.error) }
        source?.fitPool()
    }

    func detach(_ reader: any ConnectionReader) {
        let source = state.withLock { state -> (any ConnectionSource)? in
            guard state.remove(reader) else { return nil }
            state.formerReaders.append(reader)
            // A reader that still holds frames stays, since the driver's pool must have room besides them.
            if state.formerReaders.count > Self.formerReadersKept,
                let idle = state.formerReaders.firstIndex(where: { $0.holdings.count == 0 })
            {
                state.formerReaders.remove(at: idle)
            }
            return state.source
        }
        reader.close()
        source?.fitPool()
    }

    // MARK: The session's side

    fileprivate struct Ending {
        let error: ObscuraError?
    }

    /// Whether the output is in no session or in this one.
    func isFree(for session: any AnyObject & Sendable) -> Bool {
        state.withLock { $0.owner == nil || $0.owner === session }
    }

    /// The session that contains the output.
    var owner: (any AnyObject & Sendable)? { state.withLock { $0.owner } }

    func belong(to session: (any AnyObject & Sendable)?) {
        state.withLock { $0.owner = session }
    }

    /// Prepares for a restart of the source: readers that have received nothing yet wait for it, and so do new
    /// readers.
    func renew() {
        let readers = state.withLock { state in
            state.ending = nil
            return state.readers
        }
        for reader in readers { reader.revive() }
    }

    /// Accepts frames from `source` only. Frames of another source that the readers have not taken yet are dropped,
    /// including a frame that is being routed.
    func join(_ source: (any ConnectionSource)?, input: CaptureDeviceInput?) {
        let (readers, epoch) = state.withLock { state -> ([any ConnectionReader], UInt64?) in
            state.input = input
            guard state.source !== source else { return ([], nil) }
            state.source = source
            state.ending = nil
            state.epoch += 1
            state.rateLimit = state.rateLimit.map { RateLimit(interval: $0.interval) }
            return (state.readers, state.epoch)
        }
        guard let epoch else { return }
        for reader in readers { reader.begin(epoch: epoch) }
    }

    /// Delivers a frame to the readers. Called on the source's thread; blocks while a lossless reader is behind.
    func route(_ frame: RoutedFrame, from source: any ConnectionSource) {
        let (readers, encoded, epoch, passes) = state.withLock { state in
            guard state.source === source else { return ([FrameReader](), [EncodedReader](), UInt64(0), false) }
            // Readers of compressed frames get the compressed form by itself.
            let encoded = frame.isBesideEncoded ? [] : state.encodedReaders
            return (state.frameReaders, encoded, state.epoch, state.admits(frame))
        }
        var frame = frame
        frame.epoch = epoch
        for reader in encoded {
            if passes { reader.receive(frame) } else { reader.skip() }
        }
        for reader in readers {
            if passes { reader.receive(frame) } else { reader.skip() }
        }
    }

    /// Delivers a compressed frame that is also delivered as pixels to the readers of compressed frames. Called on the source's thread; blocks while a
    /// lossless reader is behind. The rate limit and the stride do not apply, since a frame may need the ones before.
    func route(encoded frame: RoutedFrame, from source: any ConnectionSource) {
        let (readers, epoch, passes) = state.withLock { state -> ([EncodedReader], UInt64, Bool) in
            guard state.source === source else { return ([], 0, false) }
            return (state.encodedReaders, state.epoch, state.isEnabled)
        }
        var frame = frame
        frame.epoch = epoch
        for reader in readers {
            if passes {
                reader.receive(frame)
            } else {
                reader.skipToKeyFrame()
            }
        }
    }

    /// Whether any reader reads compressed frames.
    var hasEncodedReaders: Bool { state.withLock { !$0.encodedReaders.isEmpty } }

    /// The media that the readers of this connection read.
    var demand: MediaDemand {
        state.withLock { state in
            var demand: MediaDemand = []
            if !state.frameReaders.isEmpty { demand.insert(.frames) }
            if !state.encodedReaders.isEmpty { demand.insert(.encodedFrames) }
            if !state.audioReaders.isEmpty { demand.insert(.audio) }
            if !state.encodedAudioReaders.isEmpty { demand.insert(.encodedAudio) }
            if state.readers.contains(where: \.isPrompt) { demand.insert(.prompt) }
            return demand
        }
    }

    /// What the source delivers compressed; nil while the session does not run.
    package var encoded: EncodedMedia? { state.withLock { $0.source }?.encoded }

    /// Whether the source, also one that starts later, delivers nothing to any output. With this, several readers can
    /// begin together, and a reader that attaches after the start of the session misses nothing.
    package var holdsSource: Bool {
        get { state.withLock { $0.holdsSource } }
        set {
            let source = state.withLock { state in
                state.holdsSource = newValue
                return state.source
            }
            source?.fitHolds()
        }
    }

    /// Whether the settings of the connection change the image or the volume.
    package var changesMedia: Bool {
        state.withLock { !$0.effects.isEmpty || $0.orientation != .up || $0.isMirrored }
            || audioChannels.contains { $0.volume != 1 || !$0.isEnabled }
    }

    /// The readers of pixels.
    var frameReaders: [FrameReader] { state.withLock { $0.frameReaders } }

    /// Delivers audio to the readers. Called on the source's thread; blocks while a lossless reader is behind.
    func route(_ sound: AudioBuffer, from source: any ConnectionSource) {
        let (readers, encoded, epoch, passes) = state.withLock {
            state -> ([AudioReader], [EncodedAudioReader], UInt64, Bool) in
            guard state.source === source else { return ([], [], 0, false) }
            return (state.audioReaders, state.encodedAudioReaders, state.epoch, state.isEnabled)
        }
        if source.encoded.audio == nil { encoded.forEach { $0.refuse(epoch: epoch) } }
        guard passes else { return readers.forEach { $0.skip() } }
        let heard = mixer.mix(sound)
        for reader in readers { reader.receive(heard, epoch: epoch, from: source.input.device.driver) }
    }

    /// Delivers a compressed packet of audio to the readers of compressed audio. Called on the source's thread; blocks while
    /// a lossless reader is behind. The volume does not apply.
    func route(_ packet: EncodedAudio, from source: any ConnectionSource) {
        let (readers, epoch, passes) = state.withLock { state -> ([EncodedAudioReader], UInt64, Bool) in
            guard state.source === source else { return ([], 0, false) }
            return (state.encodedAudioReaders, state.epoch, state.isEnabled)
        }
        let arrival = HostTime.now
        for reader in readers {
            if passes { reader.receive(packet, arrival: arrival, epoch: epoch) } else { reader.skip() }
        }
    }

    /// Counts a frame that the device lost.
    func lose(_ drop: DroppedFrame) {
        for reader in state.withLock({ $0.encodedReaders }) { reader.breakChain() }
        for reader in readers { reader.lose(drop) }
    }

    /// Counts a compressed frame that was not decoded.
    func omit(_ drop: DroppedFrame) {
        for reader in frameReaders { reader.lose(drop) }
    }

    /// Ends the readers, unless the connection has joined another source meanwhile.
    ///
    /// - Parameter source: The source that has ended; nil if it could not be opened.
    func finish(throwing error: ObscuraError?, from source: (any ConnectionSource)?) {
        let readers = state.withLock { state -> [any ConnectionReader] in
            guard state.source === source else { return [] }
            state.ending = Ending(error: error)
            return state.readers
        }
        for reader in readers { reader.finish(throwing: error) }
    }
}

extension CaptureConnection.State {
    /// Removes a reader. Returns whether it was attached.
    fileprivate mutating func remove(_ reader: any ConnectionReader) -> Bool {
        let count = readers.count
        frameReaders.removeAll { $0 === reader }
        encodedReaders.removeAll { $0 === reader }
        audioReaders.removeAll { $0 === reader }
        encodedAudioReaders.removeAll { $0 === reader }
        return readers.count < count
    }

    /// Whether a frame passes: the connection is enabled, and the rate limit and the stride admit the frame.
    fileprivate mutating func admits(_ frame: RoutedFrame) -> Bool {
        guard isEnabled, rateLimit?.admits(frame.presentationTime) ?? true else { return false }
        defer { counted += 1 }
        return counted % frameStride == 0
    }
}
