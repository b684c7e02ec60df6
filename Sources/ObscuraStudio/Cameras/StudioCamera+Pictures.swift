// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraWeb

extension StudioCamera {
    /// A viewer's subscription to a camera, which ends when it is deinitialized.
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
            camera.unwatch(stream.request)
            camera.release()
        }
    }

    /// Maximum number of different streams of one camera: each needs a few milliseconds of CPU time per frame.
    static let mostStreams = 32

    /// Frame size after orientation; nil if not yet known.
    var pictureSize: PixelSize? {
        let (input, isTransposed) = state.withLock { ($0.input, $0.orientation.isTransposed) }
        guard let input, let format = session.activeFormat(of: input) else { return nil }
        return isTransposed ? format.size.transposed : format.size
    }

    /// Passes each frame to `receive` for as long as the returned subscription exists.
    ///
    /// - Parameter end: called after the camera was removed from the Studio; no frames follow.
    /// - Throws: ``ObscuraError/Code/tooMuch`` if there are too many different views of the camera.
    func watch(
        _ request: PictureRequest, end: @escaping @Sendable () -> Void = {},
        _ receive: @escaping @Sendable (EncodedPicture) -> Void
    ) throws(ObscuraError) -> Watch {
        let request = request.settled(for: pictureSize)
        let stream = try state.withLock { state throws(ObscuraError) -> PictureStream in
            guard !state.isRemoved else { throw .noSuchCamera }
            if let stream = state.streams[request]?.stream {
                state.streams[request]?.watches += 1
                return stream
            }
            guard state.streams.count < Self.mostStreams else {
                throw ObscuraError(
                    .studio, .tooMuch, subject: "camera \(id)",
                    reason: "its frames are already sent in the maximum of \(Self.mostStreams) combinations of size, "
                        + "rate and quality",
                    advice: "Close some pages that show the camera, or request a combination that is in use.")
            }
            let stream = PictureStream(request, of: preview, logger: logger) { [weak self] in
                self?.notePicturesEnded()
            }
            state.streams[request] = (stream, watches: 1)
            return stream
        }
        return Watch(self, stream, PictureStream.Viewer(receive: receive, end: end))
    }

    /// Returns the newest frame, starting the camera if necessary.
    ///
    /// - Parameter request: evaluated once the camera runs, when its frame size is known.
    /// - Throws: an error of the camera, or ``ObscuraError/Code/wrongState`` if no frame arrives within five seconds.
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
                .studio, .wrongState, subject: "camera \(id)", reason: "it delivered no frame for five seconds",
                advice: "Check the state of the camera.")
        }
    }

    fileprivate func unwatch(_ request: PictureRequest) {
        state.withLock { state in
            state.streams[request]?.watches -= 1
            if state.streams[request]?.watches == 0 { state.streams[request] = nil }
        }
    }
}
