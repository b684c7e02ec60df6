// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraWeb

extension StudioCamera {
    /// One who watches a camera; ends with its last reference.
    final class Watch: Sendable {
        let stream: PictureStream
        private let camera: StudioCamera
        private let number: Int

        fileprivate init(_ camera: StudioCamera, _ stream: PictureStream, _ viewer: PictureStream.Viewer) {
            self.camera = camera
            self.stream = stream
            camera.acquire()
            number = stream.add(viewer)
        }

        deinit {
            stream.remove(number)
            camera.dropIdleStreams()
            camera.release()
        }
    }

    /// Most encodings of one camera at once: each costs a core some milliseconds a frame.
    static let mostStreams = 32

    /// The size of the pictures as they are shown, upright and turned; nil while it is not known.
    var pictureSize: PixelSize? {
        let (input, isTransposed) = state.withLock { ($0.input, $0.orientation.isTransposed) }
        guard let input, let format = session.activeFormat(of: input) else { return nil }
        return isTransposed ? format.size.transposed : format.size
    }

    /// Has `receive` told of each picture, until the watch is let go of.
    ///
    /// - Parameter end: called once the camera was taken out of the Studio: nothing more will come.
    /// - Throws: ``ObscuraError/Code/tooMuch`` where too many different views are asked for.
    func watch(
        _ request: PictureRequest, end: @escaping @Sendable () -> Void = {},
        _ receive: @escaping @Sendable (EncodedPicture) -> Void
    ) throws(ObscuraError) -> Watch {
        let request = request.settled(for: pictureSize)
        let stream = try state.withLock { state throws(ObscuraError) -> PictureStream in
            guard !state.isRemoved else { throw .noSuchCamera }
            if let stream = state.streams[request] { return stream }
            guard state.streams.count < Self.mostStreams else {
                throw ObscuraError(
                    .studio, .tooMuch, subject: "camera \(id)",
                    reason: "\(Self.mostStreams) different views of it are shown already",
                    advice: "Ask for a size that is shown.")
            }
            let stream = PictureStream(request, of: preview, logger: logger) { [weak self] in
                self?.notePicturesEnded()
            }
            state.streams[request] = stream
            return stream
        }
        return Watch(self, stream, PictureStream.Viewer(receive: receive, end: end))
    }

    /// The newest picture; starts the camera where it does not run.
    ///
    /// - Throws: what the camera says, and ``ObscuraError/Code/wrongState`` when no picture comes for five seconds.
    ///
    /// - Parameter request: asked for once the camera runs, and its size is known.
    func picture(_ request: () throws -> PictureRequest) async throws -> EncodedPicture {
        try await use {
            let request = try request()
            let (pictures, continuation) = AsyncStream.makeStream(
                of: EncodedPicture.self, bufferingPolicy: .bufferingNewest(1))
            let watch = try watch(request, end: continuation.finish) { continuation.yield($0) }
            defer { withExtendedLifetime(watch) {} }
            let limit = Timers.after(.seconds(5)) { continuation.finish() }
            defer { limit.cancel() }
            for await picture in pictures { return picture }
            throw ObscuraError(
                .studio, .wrongState, subject: "camera \(id)", reason: "it gave no picture for five seconds",
                advice: "Look at what it says of its state.")
        }
    }

    fileprivate func dropIdleStreams() {
        state.withLock { state in state.streams = state.streams.filter { $0.value.viewerCount > 0 } }
    }
}
