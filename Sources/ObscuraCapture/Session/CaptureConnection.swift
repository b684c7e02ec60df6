// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraImaging
public import ObscuraMedia

/// The link between an input and an output for one kind of media: which frames pass, and how they are turned; how
/// loud the sound is.
///
/// Its settings may be changed at any time, on any thread; a change takes effect with the next frame that
/// is taken. It also keeps the readers of its output.
public final class CaptureConnection: Sendable {
    fileprivate struct State {
        var isEnabled = true
        var orientation = Orientation.up
        var isMirrored = false
        var effects: [VideoEffect] = []
        /// Whether readers apply effects of their own.
        var readersHaveEffects = false
        var rateLimit: RateLimit?
        var frameStride = 1
        var counted = 0
        /// Where the frames come from; those of another source are not let in.
        weak var source: (any ConnectionSource)?
        var input: CaptureDeviceInput?
        var epoch: UInt64 = 0
        /// How the source ended, until it begins again: who comes later is told as well.
        var ending: Ending?
        /// The session that the output is in.
        weak var owner: (any AnyObject & Sendable)?
        var frameReaders: [FrameReader] = []
        var audioReaders: [AudioReader] = []
        /// The last readers that were detached, so that their accounts can still be read.
        var formerReaders: [any ConnectionReader] = []

        var readers: [any ConnectionReader] { frameReaders + audioReaders }
    }

    /// The name of the output, for accounts and messages.
    public let outputName: String
    /// What passes: pictures or sound.
    public let mediaType: MediaType
    private let state = Lock(State())
    /// The level and the volume of sound.
    private let mixer = AudioMixer()

    init(outputName: String, mediaType: MediaType) {
        self.outputName = outputName
        self.mediaType = mediaType
    }

    deinit {
        for reader in readers { reader.close() }
    }

    /// Where the frames come from; nil while the output is in no session.
    public var input: CaptureDeviceInput? { state.withLock { $0.input } }

    /// Whether frames pass. Those that do not are counted as skipped.
    public var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    /// The channels of the sound that passes, with their levels and volumes; empty until sound has come.
    public var audioChannels: [AudioChannel] { mixer.channels }

    /// The turn of the upright picture, clockwise.
    public var orientation: Orientation {
        get { state.withLock { $0.orientation } }
        set { state.withLock { $0.orientation = newValue } }
    }

    /// Whether left and right change places, after turning.
    public var isMirrored: Bool {
        get { state.withLock { $0.isMirrored } }
        set { state.withLock { $0.isMirrored = newValue } }
    }

    /// What is done to the upright pictures, one effect after the other; see `VideoEffect`. Outputs with equal
    /// effects share the work.
    public var effects: [VideoEffect] {
        get { state.withLock { $0.effects } }
        set {
            let source = state.withLock { state in
                state.effects = newValue
                return state.source
            }
            source?.fitPool()
        }
    }

    /// Asks for what the connection does to pictures, all of one moment.
    func complete(_ request: inout ImageRequest) {
        let (orientation, isMirrored, effects) = state.withLock { ($0.orientation, $0.isMirrored, $0.effects) }
        request.orientation = orientation
        request.isMirrored = isMirrored
        request.effects = effects
    }

    /// Readers apply effects to the frames that they get: there must be room for what they make.
    package func readersHaveEffects(_ have: Bool) {
        let source = state.withLock { state in
            state.readersHaveEffects = have
            return state.source
        }
        source?.fitPool()
    }

    /// How many pictures are made of a frame beside the one that its reader gets: that before the effects, and that
    /// with them, of which other sizes and formats are made.
    var picturesBesideFrame: Int { state.withLock { $0.effects.isEmpty && !$0.readersHaveEffects ? 0 : 2 } }

    /// A limit of the rate, kept before any conversion: frames that come sooner after the last one are
    /// skipped. Nil lets all pass.
    public var minFrameDuration: MediaTime? {
        get { state.withLock { $0.rateLimit?.interval } }
        set { state.withLock { $0.rateLimit = newValue.map(RateLimit.init(interval:)) } }
    }

    /// Only each n-th frame passes, the first one first. 1 lets all pass; smaller values count as 1.
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

    /// The last readers that were detached.
    var formerReaders: [any ConnectionReader] { state.withLock { $0.formerReaders } }

    /// Both at one moment, so that none is counted twice.
    var allReaders: (attached: [any ConnectionReader], former: [any ConnectionReader]) {
        state.withLock { ($0.readers, $0.formerReaders) }
    }

    private static let formerReadersKept = 16

    func attach(_ reader: any ConnectionReader) {
        let (source, ending) = state.withLock { state in
            // Within the lock: a frame that is routed from here on is of this epoch, and the reader's.
            reader.enter(epoch: state.epoch)
            if let reader = reader as? FrameReader { state.frameReaders.append(reader) }
            if let reader = reader as? AudioReader { state.audioReaders.append(reader) }
            return (state.source, state.ending)
        }
        if let ending { reader.finish(throwing: ending.error) }
        source?.fitPool()
    }

    func detach(_ reader: any ConnectionReader) {
        let source = state.withLock { state -> (any ConnectionSource)? in
            guard state.remove(reader) else { return nil }
            state.formerReaders.append(reader)
            // One that still holds frames stays: the driver's memory must have room beside them.
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

    /// Whether the output is in no session, or in this one.
    func isFree(for session: any AnyObject & Sendable) -> Bool {
        state.withLock { $0.owner == nil || $0.owner === session }
    }

    /// The session that the output is in.
    var owner: (any AnyObject & Sendable)? { state.withLock { $0.owner } }

    func belong(to session: (any AnyObject & Sendable)?) {
        state.withLock { $0.owner = session }
    }

    /// The source begins again: readers that have got nothing yet wait for it, and so do those that come.
    func renew() {
        let readers = state.withLock { state in
            state.ending = nil
            return state.readers
        }
        for reader in readers { reader.revive() }
    }

    /// Has frames come from `source` only. What the readers have not taken yet of another source is
    /// dropped, also a frame that its thread is routing at this moment.
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

    /// Hands a frame to the readers. On the source's thread; blocks while a lossless reader is behind.
    func route(_ frame: RoutedFrame, from source: any ConnectionSource) {
        let (readers, epoch, passes) = state.withLock { state -> ([FrameReader], UInt64, Bool) in
            guard state.source === source else { return ([], 0, false) }
            return (state.frameReaders, state.epoch, state.admits(frame))
        }
        var frame = frame
        frame.epoch = epoch
        for reader in readers {
            if passes { reader.receive(frame) } else { reader.skip() }
        }
    }

    /// Hands sound to the readers. On the source's thread; blocks while a lossless reader is behind.
    func route(_ sound: AudioBuffer, from source: any ConnectionSource) {
        let (readers, epoch, passes) = state.withLock { state -> ([AudioReader], UInt64, Bool) in
            guard state.source === source else { return ([], 0, false) }
            return (state.audioReaders, state.epoch, state.isEnabled)
        }
        guard passes else { return readers.forEach { $0.skip() } }
        let heard = mixer.mix(sound)
        for reader in readers { reader.receive(heard, epoch: epoch, from: source.input.device.driver) }
    }

    func lose(_ drop: DroppedFrame) {
        for reader in readers { reader.lose(drop) }
    }

    func finish(throwing error: ObscuraError?) {
        let readers = state.withLock { state in
            state.ending = Ending(error: error)
            return state.readers
        }
        for reader in readers { reader.finish(throwing: error) }
    }
}

extension CaptureConnection.State {
    /// Returns whether it was there.
    fileprivate mutating func remove(_ reader: any ConnectionReader) -> Bool {
        let count = frameReaders.count + audioReaders.count
        frameReaders.removeAll { $0 === reader }
        audioReaders.removeAll { $0 === reader }
        return frameReaders.count + audioReaders.count < count
    }

    /// Whether a frame passes: enabled, not too soon, and its turn.
    fileprivate mutating func admits(_ frame: RoutedFrame) -> Bool {
        guard isEnabled, rateLimit?.admits(frame.presentationTime) ?? true else { return false }
        defer { counted += 1 }
        return counted % frameStride == 0
    }
}
