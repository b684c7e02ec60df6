// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// A reader of the decoded samples of a movie file.
///
/// Each output reads the file independently. Outputs can be read in any order, and on several threads.
///
/// Apple's reader raises an exception when it is used in the wrong order. This one fails: ``status`` becomes `failed`,
/// and ``error`` has the reason. Thread-safe.
public final class AVAssetReader: NSObject, Sendable {
    /// The status of a reader.
    public typealias Status = AVAssetReaderStatus

    private struct State: Sendable {
        var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var outputs: [AVAssetReaderOutput] = []
    }

    /// The movie.
    public let asset: AVAsset
    private let core: ReaderCore
    private let state = Lock(State())

    /// Creates a reader. Blocks until the movie is open, unless a property of the asset has been read before.
    ///
    /// - Throws: an `ObscuraError` if the movie cannot be read, or is not a file.
    public init(asset: AVAsset) throws {
        guard asset.source.isFile else {
            throw ObscuraError.invalidSettings(
                .movies, asset.source.location, "it is not a file URL", "Use URL(fileURLWithPath:).")
        }
        _ = try asset.source.contents()
        self.asset = asset
        core = ReaderCore(subject: asset.source.location)
        super.init()
    }

    /// The status of the reader.
    public var status: Status { core.status }
    /// The error, an `ObscuraError`, if ``status`` is `failed`; else nil.
    public var error: (any Error)? { core.error }

    /// The times to read: frames whose time is in the range, and sound that is cut at exact samples. If this is set
    /// after ``startReading()``, the reader fails.
    public var timeRange: CMTimeRange {
        get { state.withLock { $0.timeRange } }
        set {
            guard core.status == .unknown else {
                return core.fail(core.invalidState("the time range was set after startReading()"))
            }
            state.withLock { $0.timeRange = newValue }
        }
    }

    // MARK: Outputs

    /// The outputs, in the order in which they were added.
    public var outputs: [AVAssetReaderOutput] { state.withLock { $0.outputs } }

    /// Returns whether an output can be added. ``startReading()`` must not have been called, the track must be one of
    /// the asset, the settings must be supported, and the output must not belong to a reader.
    public func canAdd(_ output: AVAssetReaderOutput) -> Bool { refusal(of: output) == nil }

    /// Adds an output. If it cannot be added, the reader fails, and ``error`` has the reason.
    public func add(_ output: AVAssetReaderOutput) {
        let failure = state.withLock { state -> ObscuraError? in
            if let refusal = refusal(of: output) { return refusal }
            guard output.attach(to: core) else {
                return core.invalidState("an output was added to two readers at once")
            }
            state.outputs.append(output)
            return nil
        }
        if let failure { core.fail(failure) }
    }

    private func refusal(of output: AVAssetReaderOutput) -> ObscuraError? {
        guard core.status == .unknown else { return core.invalidState("an output was added after startReading()") }
        guard !output.isAttached else { return core.invalidState("the output belongs to a reader already") }
        return output.refusal(by: asset)
    }

    // MARK: Reading

    /// Opens the movie for each output. Blocks until it is open.
    ///
    /// - Returns: false if the reader fails: there is no output, the time range is not valid, a track cannot be
    ///   decoded, or this function was called before.
    @discardableResult
    public func startReading() -> Bool {
        let (outputs, timeRange) = state.withLock { ($0.outputs, $0.timeRange) }
        do throws(ObscuraError) {
            guard core.status == .unknown else { throw core.invalidState("startReading() was called twice") }
            guard !outputs.isEmpty else { throw core.invalidState("the reader has no output") }
            let range = try ReadingRange(timeRange, subject: core.subject)
            for output in outputs { try output.open(range, control: core.control) }
            core.start(outputs: outputs.count)
        } catch {
            core.fail(error)
        }
        guard core.status == .reading else {
            for output in outputs { output.close() }
            return false
        }
        return true
    }

    /// Ends reading. A call that waits for samples returns. Without effect after the end.
    public func cancelReading() {
        guard core.cancel() else { return }
        for output in outputs { output.close() }
    }
}
