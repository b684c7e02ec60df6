// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Logging
internal import NIOCore
internal import Obscura
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraWeb

/// An open page: its tiles and its messages. Thread-safe.
final class PageSession: Sendable {
    private struct Shown {
        var tile: PageTile
        /// The subscription; nil if the camera cannot be watched.
        var watch: StudioCamera.Watch?
        /// The latest request to the camera, including a rejected one.
        var asked: PictureRequest?
        var delays = DurationHistogram()
        /// A number that separates the pictures of this subscription from late ones of an earlier subscription.
        var generation: UInt64
    }

    private struct State {
        var tiles: [Int: Shown] = [:]
        var generation: UInt64 = 0
        var isClosed = false
    }

    private let studio: Studio
    private let link: any PageLink
    private let logger: Logger
    private let state = Lock(State())

    init(_ link: any PageLink, of studio: Studio, logger: Logger) {
        self.link = link
        self.studio = studio
        self.logger = logger
    }

    // MARK: Messages from the page

    /// Handles a message. An invalid one closes the page, since it is not one of the Studio's pages.
    func receive(_ text: String) {
        do {
            switch try JSONDecoder().decode(PageMessage.self, from: Data(text.utf8)) {
            case .watch(let tiles): watch(tiles)
            case .drawn(let tile, let sequence): noteDrawn(tile, sequence)
            }
        } catch {
            logger.debug("a page sent an invalid message", metadata: ["error": "\(error)"])
            link.closeAsNonsense()
        }
    }

    /// Ends the session after the page was closed.
    func close() {
        let tiles = state.withLock { state in
            state.isClosed = true
            defer { state.tiles.removeAll() }
            return state.tiles
        }
        withExtendedLifetime(tiles) {}
    }

    /// Replaces the tiles with these. Tiles that do not change continue.
    private func watch(_ requests: [TileRequest]) {
        let (left, begun) = state.withLock { state -> ([Shown], [TileRequest]) in
            guard !state.isClosed else { return ([], []) }
            let stay = Set(requests)
            let left = state.tiles.values.filter { !stay.contains($0.tile.request) }
            for shown in left { state.tiles[shown.tile.request.tile] = nil }
            return (left, requests.filter { state.tiles[$0.tile] == nil })
        }
        for request in begun { show(request) }
        // The old subscriptions end after the new ones begin, so that a camera that both use keeps running.
        withExtendedLifetime(left) {}
    }

    private func show(_ request: TileRequest) {
        let number = request.tile
        let generation = state.withLock { state in
            state.generation += 1
            state.tiles[number] = Shown(
                tile: PageTile(request), watch: nil, generation: state.generation)
            return state.generation
        }
        begin(request, generation)
    }

    private func begin(_ request: TileRequest, _ generation: UInt64) {
        let number = request.tile
        do {
            let camera = try studio.camera(request.camera)
            let asked = request.picture.settled(for: camera.pictureSize)
            state.withLock { state in
                if state.tiles[number]?.generation == generation { state.tiles[number]?.asked = asked }
            }
            let watch = try camera.watch(request.picture) { [weak self] picture in
                self?.enqueue(picture, to: number, generation)
            }
            state.withLock { state in
                if state.tiles[number]?.generation == generation { state.tiles[number]?.watch = watch }
            }
            // If the tile was replaced meanwhile, the subscription ends here, outside the lock: its end would take the
            // lock again.
            withExtendedLifetime(watch) {}
        } catch {
            send(.notice(Notice(camera: request.camera, level: .warning, message: error.description)))
        }
    }

    private func noteDrawn(_ number: Int, _ sequence: UInt32) {
        state.withLock { state in
            guard let (drawn, next) = state.tiles[number]?.tile.acknowledge(sequence) else { return }
            if let drawn { state.tiles[number]?.delays.record(from: drawn.hostTime, to: .now) }
            if let next { send(next, number) }
        }
    }

    // MARK: Messages to the page

    private func enqueue(_ picture: EncodedPicture, to number: Int, _ generation: UInt64) {
        state.withLock { state in
            guard state.tiles[number]?.generation == generation else { return }
            let pageBytes = state.tiles.values.reduce(0) { $0 + $1.tile.bytesUnderWay }
            if let next = state.tiles[number]?.tile.enqueue(picture, pageBytes: pageBytes) { send(next, number) }
        }
    }

    /// Called with the lock held, so that pictures are sent in the order of the tile's decisions: the camera and the
    /// page run on different threads, and an older picture could otherwise follow a newer one.
    private func send(_ picture: EncodedPicture, _ number: Int) {
        link.send(header: PictureHeader.make(picture, tile: number), picture.bytes)
    }

    func send(_ message: ServerMessage) {
        guard let text = Self.text(message) else { return }
        link.send(text)
    }

    func send(_ text: String) { link.send(text) }

    static func text(_ message: ServerMessage) -> String? {
        (try? JSONEncoder.api.encode(message)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Restarts tiles whose picture size has changed, after a change of the cameras.
    func adapt() {
        let shown = state.withLock { $0.tiles.values.map { ($0.tile.request, $0.asked) } }
        for (request, asked) in shown {
            guard let camera = try? studio.camera(request.camera) else { continue }
            guard request.picture.settled(for: camera.pictureSize) != asked else { continue }
            let (former, generation) = state.withLock { state -> (StudioCamera.Watch?, UInt64?) in
                guard state.tiles[request.tile]?.tile.request == request else { return (nil, nil) }
                state.generation += 1
                let former = state.tiles[request.tile]?.watch
                state.tiles[request.tile]?.generation = state.generation
                state.tiles[request.tile]?.tile.begin()
                return (former, state.generation)
            }
            if let generation { begin(request, generation) }
            withExtendedLifetime(former) {}
        }
    }

    // MARK: Statistics

    /// The displayed cameras, with the statistics of the tiles of each.
    var viewers: [String: [CameraStatistics.Viewer]] {
        let tiles = state.withLock { Array($0.tiles.values) }
        return Dictionary(grouping: tiles, by: \.tile.request.camera).mapValues { shown in
            shown.sorted { $0.tile.request.tile < $1.tile.request.tile }.map { shown in
                let tile = shown.tile
                return CameraStatistics.Viewer(
                    tile: tile.request.tile, size: "\((shown.watch?.stream.request ?? tile.request.picture).box)",
                    sent: tile.sent, drawn: tile.drawn, replaced: tile.replaced,
                    delay: .init("capture → drawn and acknowledged", shown.delays.statistics))
            }
        }
    }
}
