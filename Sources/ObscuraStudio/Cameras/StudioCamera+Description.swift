// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension StudioCamera {
    /// - Parameters:
    ///   - revision: the revision, which must be taken before the call.
    ///   - listed: ids of the devices that pages may select.
    ///   - freeSpace: free space on the disk of the folder, in bytes.
    func description(revision: Revision, listed: Set<String>, freeSpace: Int64) -> CameraDescription {
        let state = state.withLock { $0 }
        let format = state.input.flatMap { session.activeFormat(of: $0) }
        return CameraDescription(
            id: id, revision: revision, name: state.device.localizedName,
            device: listed.contains(state.device.uniqueID) ? state.device.uniqueID : nil,
            source: state.device.localizedName, position: state.device.position, state: state.status,
            problem: state.problem, format: format.map(CameraDescription.Format.init), preset: state.preset,
            presets: CaptureSession.Preset.allCases.filter { $0 != .inputPriority }, isMirrored: state.isMirrored,
            orientation: state.orientation, effects: state.effects, availableEffects: EffectMenu.all,
            faces: state.faces, microphone: state.microphone?.uniqueID,
            zoom: state.lens.zoom, torch: state.lens.torch, focus: state.lens.focus,
            recording: recordingDescription(freeSpace: freeSpace),
            viewers: state.streams.values.reduce(0) { $0 + $1.stream.viewerCount })
    }

    /// Returns the state of the recording in progress; nil if there is none.
    func recordingDescription(freeSpace: Int64) -> RecordingDescription? {
        guard let recording = state.withLock({ $0.recording }) else { return nil }
        return RecordingDescription(
            name: recording.name, duration: movie.recordedDuration.seconds, size: movie.recordedFileSize,
            freeSpace: freeSpace, isPaused: recording.isPaused, maxDuration: recording.maxDuration,
            maxSize: recording.maxSize)
    }

    /// - Parameter viewers: statistics on the tiles of the page that receives the result.
    func statistics(viewers: [CameraStatistics.Viewer]) -> CameraStatistics {
        let ledger = session.ledger
        // Statistics of the video input; the audio input of a movie file has its own.
        let name = state.withLock { $0.device.localizedName }
        let input = ledger.inputs.last { $0.device == name && $0.isRunning } ?? ledger.inputs.last { $0.device == name }
        let views = ledger.readers.filter { $0.isAttached && $0.name.hasPrefix(preview.name) }
        let view = views.max { $0.frames.offered < $1.frames.offered }
        var stages =
            view.map { view in
                FrameStage.allCases.compactMap { stage in
                    view.stages[stage].map { CameraStatistics.Stage(stage.span, $0) }
                }
            } ?? []
        let streams = state.withLock { $0.streams.values.map(\.stream) }
        if let busiest = streams.max(by: { $0.viewerCount < $1.viewerCount }) {
            let delays = busiest.delays.withLock(\.statistics)
            if delays.count > 0 { stages.append(.init("capture → encoded", delays)) }
        }
        var dropped: [String: UInt64] = [:]
        for reason in DropReason.allCases {
            let count = view?.frames.dropped[reason] ?? 0
            if count > 0 { dropped[reason.rawValue] = count }
        }
        let photoReaders = ledger.readers.filter { $0.output == photos.name }
        return CameraStatistics(
            camera: id, rate: rate.rate(count: input?.received ?? 0), offered: view?.frames.offered ?? 0,
            delivered: view?.frames.delivered ?? 0, dropped: dropped, skipped: view?.frames.skipped ?? 0,
            gaps: input?.gaps ?? 0, droppedForPhotos: photoReaders.reduce(0) { $0 + $1.frames.dropped.total },
            stages: stages, viewers: viewers)
    }
}

extension CameraDescription.Format {
    init(_ format: VideoFormat) {
        self.init(
            width: format.width, height: format.height, rate: format.frameRate?.framesPerSecond,
            pixelFormat: format.pixelFormat.rawValue)
    }
}

extension CameraStatistics.Stage {
    fileprivate init(_ span: String, _ statistics: StageStatistics) {
        self.init(
            span: span, count: statistics.count, p50: Double(statistics.p50) / 1000,
            p95: Double(statistics.p95) / 1000, p99: Double(statistics.p99) / 1000)
    }
}

extension CameraStatistics.Delay {
    /// Returns nil if no delay has been measured.
    init?(_ span: String, _ statistics: StageStatistics) {
        guard statistics.count > 0 else { return nil }
        self.init(span: span, p50: Double(statistics.p50) / 1000, p95: Double(statistics.p95) / 1000)
    }
}

extension FrameStage {
    /// The start and the end point.
    fileprivate var span: String {
        switch self {
        case .capture: "time stamp of the driver → dequeued"
        case .decode: "dequeued → decoded"
        case .queue: "queued → taken from the queue"
        case .transform: "taken → scaled and converted"
        case .handling: "delivered → handled"
        }
    }
}
