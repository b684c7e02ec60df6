// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

// The settings of the frames, and their conversion.
extension FrameReader {
    /// Reads the settings, and returns them. Without the lock: the call may release the owner of the settings, and this
    /// reader with it.
    @discardableResult
    func readSettings() -> ReaderSettings {
        // Counted first: a change that comes in between is then read the next time.
        let changes = settingsChanges?.number ?? State.uncounted
        let settings = ReaderSettings(request: request(), image: imageRequest())
        state.withLock { state in
            // Another thread may have read later ones.
            guard changes >= state.knownChanges ?? 0 else { return }
            (state.settings, state.knownChanges) = (settings, changes)
        }
        return settings
    }

    /// Whether a frame must be converted, for settings that are plain or not.
    func needsWork(_ frame: RoutedFrame, isPlain: Bool) -> Bool {
        !isPlain || frame.needsWork(upright: deliversUpright)
    }

    /// Starts conversions of queued frames, as many as may be under way.
    func startConversions() {
        let settings = readSettings()
        var started: [TransformJob] = []
        state.withLock { state in
            while mayStart(state),
                case .element(let frame) = queue.take(where: { needsWork($0, isPlain: settings.isPlain) })
            {
                started.append(begin(frame, settings, &state))
            }
            if settingsChanges == nil { state.knownChanges = nil }
        }
        started.forEach(launch)
    }

    func mayStart(_ state: State) -> Bool {
        let isEager = queue.policy.isLossless
        return state.jobs.count < (isEager ? 2 : 1) && (isEager || state.isWanted)
    }

    /// Makes the conversion of a frame that was taken; ``launch(_:)`` starts it.
    func begin(_ frame: RoutedFrame, _ settings: ReaderSettings, _ state: inout State) -> TransformJob {
        let job = TransformJob(
            frame: frame, request: settings.request, imageRequest: settings.image, makesUpright: deliversUpright)
        state.jobs.append(job)
        state.isPlain = false
        return job
    }

    /// Runs a job on a worker thread. Called without a lock held, since the job runs here if no thread can be created.
    func launch(_ job: TransformJob) {
        let pool = queue.policy.isLossless ? WorkerPool.transformsAhead : .transforms
        pool.async { [weak self] in
            job.run()
            self?.advance()
        }
    }

    enum Verdict {
        case granted(FrameLease)
        /// The reader holds the maximum number of frames. The job waits until the reader releases a frame.
        case wait
        case dropped(DropReason)
        /// The job is no longer in the reader, for example because the reader was closed.
        case gone
    }

    /// Decides whether a finished job is delivered; unless the reader must wait, the job is removed.
    func verdict(on job: TransformJob) -> Verdict {
        state.withLock { state in
            guard let index = state.jobs.firstIndex(where: { $0 === job }) else { return .gone }
            let verdict: Verdict
            if job.frame.epoch != state.epoch {
                verdict = .dropped(.discontinuity)
            } else if let lease = queue.lease() {
                verdict = .granted(lease)
                state.isWanted = false
            } else if queue.policy.isLossless {
                return .wait
            } else {
                verdict = .dropped(.outOfBuffers)
            }
            state.jobs.remove(at: index)
            return verdict
        }
    }
}
