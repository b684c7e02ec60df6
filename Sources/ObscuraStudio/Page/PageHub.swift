// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Logging
internal import Obscura
internal import ObscuraBase
internal import ObscuraWeb

/// The open pages, and the messages that all of them receive: changes, notices, audio levels, statistics.
final class PageHub: Sendable {
    private let studio: Studio
    private let logger: Logger
    private let pages = Lock<[ObjectIdentifier: PageSession]>([:])
    /// Whether changes have not been sent to the pages yet.
    private let hasChanged = Lock(false)

    /// Interval of audio levels; changes are sent at every second tick.
    private static let tickInterval = Duration.milliseconds(100)

    init(_ studio: Studio, logger: Logger) {
        self.studio = studio
        self.logger = logger
    }

    var count: Int { pages.withLock { $0.count } }

    /// Adds a page, and sends it the state at once.
    func open(_ link: any PageLink) -> PageSession {
        let page = PageSession(link, of: studio, logger: logger)
        pages.withLock { $0[ObjectIdentifier(page)] = page }
        Task {
            let state = await studio.description()
            page.send(.state(state))
        }
        return page
    }

    func close(_ page: PageSession) {
        _ = pages.withLock { $0.removeValue(forKey: ObjectIdentifier(page)) }
        page.close()
    }

    /// Sends messages to the pages until the task is cancelled.
    func run() async {
        let listener = studio.announcer.add(
            .init(
                onChange: { [hasChanged] in hasChanged.withLock { $0 = true } },
                onNotice: { [weak self] in self?.tell(.notice($0)) }))
        let (ticks, ticked) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let timer = Timers.every(Self.tickInterval) { ticked.yield() }
        defer {
            studio.announcer.remove(listener)
            timer.cancel()
        }
        var tick = 0
        for await _ in ticks {
            tick += 1
            await tell(tick)
        }
    }

    /// Notifies the pages that the server ends as intended.
    func announceEnd() { tell(.ended) }

    private var all: [PageSession] { pages.withLock { Array($0.values) } }

    private func tell(_ message: ServerMessage) {
        let pages = all
        guard !pages.isEmpty, let text = PageSession.text(message) else { return }
        for page in pages { page.send(text) }
    }

    /// Sends the messages that are due at a tick.
    private func tell(_ tick: Int) async {
        // Changes arrive in bursts, and are combined into one message.
        if tick % 2 == 0 { await tellChanges() }
        let pages = all
        guard !pages.isEmpty else { return }
        for camera in studio.cameras { tellLevels(of: camera) }
        if tick % 5 == 0 { tellRecordings() }
        if tick % 10 == 0 { pages.forEach(tellStatistics) }
    }

    private func tellChanges() async {
        let isDue = hasChanged.withLock { hasChanged in
            defer { hasChanged = false }
            return hasChanged
        }
        guard isDue, !all.isEmpty else { return }
        tell(.state(await studio.description()))
        for page in all { page.adapt() }
    }

    private func tellLevels(of camera: StudioCamera) {
        let channels = camera.movie.connection(with: .audio)?.audioChannels ?? []
        guard camera.hasMicrophone, !channels.isEmpty else { return }
        let levels = channels.map { channel in
            let level = channel.level
            return ServerMessage.Level(average: level.average, peak: level.peak)
        }
        tell(.levels(camera: camera.id, levels))
    }

    private func tellRecordings() {
        let recording = studio.cameras.filter(\.isRecording)
        guard !recording.isEmpty else { return }
        let freeSpace = studio.freeSpace.bytes
        for camera in recording {
            guard let description = camera.recordingDescription(freeSpace: freeSpace) else { continue }
            tell(.recording(camera: camera.id, description))
        }
    }

    private func tellStatistics(_ page: PageSession) {
        for (id, viewers) in page.viewers {
            guard let camera = try? studio.camera(id) else { continue }
            page.send(.statistics(camera.statistics(viewers: viewers)))
        }
    }
}
