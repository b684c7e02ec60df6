// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Logging
internal import NIOCore
internal import Obscura
internal import ObscuraBase
internal import ObscuraCapture

/// One page that is open: its tiles, and what it says. Thread-safe.
final class PageSession: Sendable {
    private struct Shown {
        var tile: PageTile
        /// Nil where the camera cannot be watched.
        var watch: StudioCamera.Watch?
        /// What was asked of the camera last, also where it was refused.
        var asked: PictureRequest?
        var delays = DurationHistogram()
        /// Tells the pictures of this watch from those of an earlier one that are still on their way.
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

    // MARK: What the page says

    /// Takes a message in. What is none ends the page: it is not ours.
    func receive(_ text: String) {
        do {
            switch try JSONDecoder().decode(PageMessage.self, from: Data(text.utf8)) {
            case .watch(let tiles): watch(tiles)
            case .drawn(let tile, let sequence): noteDrawn(tile, sequence)
            }
        } catch {
            logger.debug("a page sent no message", metadata: ["error": "\(error)"])
            link.closeAsNonsense()
        }
    }

    /// The page is gone.
    func close() {
        let tiles = state.withLock { state in
            state.isClosed = true
            defer { state.tiles.removeAll() }
            return state.tiles
        }
        withExtendedLifetime(tiles) {}
    }

    /// Shows these tiles and no others. Those that stay as they are go on.
    private func watch(_ requests: [TileRequest]) {
        let (left, begun) = state.withLock { state -> ([Shown], [TileRequest]) in
            guard !state.isClosed else { return ([], []) }
            let stay = Set(requests)
            let left = state.tiles.values.filter { !stay.contains($0.tile.request) }
            for shown in left { state.tiles[shown.tile.request.tile] = nil }
            return (left, requests.filter { state.tiles[$0.tile] == nil })
        }
        for request in begun { show(request) }
        // The new ones first, so that a camera that both show runs on.
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
            // If the tile is another by now, it ends here and not within the lock, where it would ask for it again.
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

    // MARK: What it is sent

    private func enqueue(_ picture: EncodedPicture, to number: Int, _ generation: UInt64) {
        state.withLock { state in
            guard state.tiles[number]?.generation == generation else { return }
            let pageBytes = state.tiles.values.reduce(0) { $0 + $1.tile.bytesUnderWay }
            if let next = state.tiles[number]?.tile.enqueue(picture, pageBytes: pageBytes) { send(next, number) }
        }
    }

    /// Within the lock, in the order that the tile has decided: the camera and the page are on different threads, and the
    /// page would show an older picture after a newer one.
    private func send(_ picture: EncodedPicture, _ number: Int) {
        link.send(header: PictureHeader.make(picture, tile: number), picture.bytes)
    }

    func send(_ message: ServerMessage) {
        guard let text = Self.text(message) else { return }
        link.send(text)
    }

    func send(_ text: String) { link.send(text) }

    static func text(_ message: ServerMessage) -> String? {
        (try? JSONEncoder().encode(message)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The cameras have changed: tiles whose picture now has another size begin anew.
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

    // MARK: What is said of it

    /// The cameras that it shows, and its tiles of each.
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
