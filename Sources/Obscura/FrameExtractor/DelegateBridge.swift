// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// Forwards frames from the output's queue, where their images are made, to the main actor.
///
/// The queue is blocked while the delegate runs, so the delegate gets one frame at a time, and frames that arrive
/// in the meantime are handled by the reader's policy for late frames.
final class DelegateBridge: VideoDataOutputDelegate, DelegateControl {
    private struct Owners {
        weak var extractor: FrameExtractor?
        weak var delegate: (any FrameExtractorDelegate)?
        /// Whether the camera is stopped; frames are then not reported until the next start.
        var isClosed = false
        var watch: Task<Void, Never>?
    }

    private let owners: Lock<Owners>

    @MainActor
    init(extractor: FrameExtractor, delegate: any FrameExtractorDelegate) {
        owners = Lock(Owners(extractor: extractor, delegate: delegate))
    }

    /// Starts reporting events of the camera to the delegate.
    func begin() {
        guard let events = owners.withLock({ $0.extractor })?.events else { return }
        let watch = Task { [weak self] in
            for await event in events { await self?.report(event) }
        }
        owners.withLock { $0.watch = watch }
    }

    func close() {
        owners.withLock { $0.isClosed = true }
    }

    func reopen() {
        owners.withLock { $0.isClosed = false }
    }

    func end() {
        owners.withLock { owners in
            owners.watch?.cancel()
            owners.delegate = nil
        }
    }

    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
        let frame = FrameExtractor.Frame(frame)
        tell { $0.extractor($1, didCapture: frame) }
    }

    func output(_ output: VideoDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection) {
        tell { $0.extractor($1, didDrop: drop) }
    }

    func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) {
        // Failures of the camera are reported as session events; image settings that cannot be applied are not.
        guard let error, error.code == .invalidConfiguration else { return }
        tell { $0.extractor($1, didFail: error) }
    }

    private func report(_ event: SessionEvent) async {
        let (extractor, delegate) = owners.withLock { ($0.extractor, $0.delegate) }
        guard let extractor, let delegate else { return }
        await MainActor.run {
            switch event {
            case .started, .interruptionEnded, .resumed: delegate.extractor(extractor, didChange: .running)
            case .stopped: delegate.extractor(extractor, didChange: .stopped)
            case .interrupted, .paused: delegate.extractor(extractor, didChange: .interrupted)
            case .runtimeError(_, let error), .refused(let error):
                delegate.extractor(extractor, didFail: error)
            case .stillBusy: break
            }
        }
    }

    /// Calls the delegate on the main actor, and waits for it to return.
    private func tell(
        _ body: @escaping @MainActor @Sendable (any FrameExtractorDelegate, FrameExtractor) -> Void
    ) {
        guard let extractor = owners.withLock({ $0.extractor }) else { return }
        DispatchQueue.main.sync { [owners] in
            MainActor.assumeIsolated {
                // Looked up here, since the delegate may have been removed while the main actor was busy.
                guard let delegate = owners.withLock({ $0.isClosed ? nil : $0.delegate }) else { return }
                body(delegate, extractor)
            }
        }
    }
}

extension FrameExtractor {
    /// Sets the delegate, which is called on the main actor for each frame; nil removes the delegate. Frames are
    /// converted on other threads.
    ///
    /// The extractor holds only a weak reference to the delegate. Setting a delegate does not start the camera.
    @MainActor
    public func setDelegate(_ delegate: (any FrameExtractorDelegate)?) {
        let bridge = delegate.map { DelegateBridge(extractor: self, delegate: $0) }
        exchangeBridge(bridge)?.end()
        output.setDelegate(bridge)
        bridge?.begin()
    }
}
