// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// An output of an ``AVAssetReader``; see ``AVAssetReaderTrackOutput``.
public class AVAssetReaderOutput: NSObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because all state of this class and its subclass is constant or in the locks.

    private static let logger = Logger(label: "obscura.avfoundation")

    private struct State {
        var alwaysCopiesSampleData = true
        var core: ReaderCore?
    }

    /// The kind of media.
    public let mediaType: AVMediaType
    private let state = Lock(State())
    /// The open track; nil before the start and after the end.
    private let reader = Lock<(any TrackReader)?>(nil)

    init(_ mediaType: AVMediaType) {
        self.mediaType = mediaType
        super.init()
    }

    /// Whether the samples can be changed. Without effect here: they always can, because shared memory is copied before
    /// a change.
    public var alwaysCopiesSampleData: Bool {
        get { state.withLock { $0.alwaysCopiesSampleData } }
        set { state.withLock { $0.alwaysCopiesSampleData = newValue } }
    }

    /// Returns the next frame, or the next sound of at most 40 ms. Blocks while it is decoded.
    ///
    /// The result is nil at the end, or if the reader has failed or was cancelled; see ``AVAssetReader/status``. If the
    /// movie is incomplete or damaged, the reader fails after the last sample. Before ``AVAssetReader/startReading()``,
    /// the result is nil, and an error is logged.
    public func copyNextSampleBuffer() -> CMSampleBuffer? {
        guard let core = state.withLock({ $0.core }), core.status != .unknown else {
            Self.logger.error("copyNextSampleBuffer() was called before startReading()")
            return nil
        }
        return reader.withLock { reader in
            guard core.status == .reading, let current = reader else { return nil }
            do {
                if let sample = try current.next() { return sample }
                core.finishOutput()
            } catch {
                core.fail(error as? ObscuraError ?? core.invalidState("\(error)"))
            }
            reader = nil
            return nil
        }
    }

    // MARK: The reader

    var isAttached: Bool { state.withLock { $0.core != nil } }

    /// Connects the output with a reader. Returns false if it has one.
    func attach(to core: ReaderCore) -> Bool {
        state.withLock { state in
            guard state.core == nil else { return false }
            state.core = core
            return true
        }
    }

    func open(_ range: ReadingRange, control: ReadControl) throws(ObscuraError) {
        let made = try makeReader(range, control)
        reader.withLock { $0 = made }
    }

    /// Releases the open track, after a call that decodes has ended.
    func close() {
        reader.withLock { $0 = nil }
    }

    // MARK: Overridden

    /// The reason why the output cannot read an asset; nil if it can.
    func refusal(by asset: AVAsset) -> ObscuraError? { nil }

    /// Opens the track.
    func makeReader(_ range: ReadingRange, _ control: ReadControl) throws(ObscuraError) -> sending (any TrackReader)? {
        nil
    }
}
