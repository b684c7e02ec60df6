// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The images that a generator makes, one after the other, on a thread of its own.
final class ImageRequests: Sendable {
    typealias Image = (image: CGImage, actualTime: CMTime)

    /// The settings of a generator at the time of a request.
    struct Settings: Sendable {
        var form = ImageForm()
        var before = CMTime.positiveInfinity
        var after = CMTime.positiveInfinity
    }

    private let source: AssetSource
    private let worker = WorkerPool(name: "images", threads: 1)
    /// Those of the images that were requested, and have not been delivered.
    private let controls = Lock<[ObjectIdentifier: ReadControl]>([:])

    init(_ source: AssetSource) {
        self.source = source
    }

    /// Returns the image at a time. Blocks.
    func image(at time: CMTime, _ settings: Settings, _ control: ReadControl = ReadControl()) throws -> Image {
        guard let wanted = time.mediaTime else {
            throw ObscuraError(
                .movies, .invalidRequest, subject: source.location, reason: "the time of an image must be numeric")
        }
        guard !control.isCancelled else { throw ObscuraError.cancelled(.movies, source.location) }
        let tolerance = try ImageTolerance(
            before: limit(settings.before), after: limit(settings.after))
        let frame = try ImageFinder.frame(of: source, at: wanted, tolerance, control: control)
        return (try settings.form.image(of: frame), CMTime(frame.presentationTime))
    }

    private func limit(_ tolerance: CMTime) throws(ObscuraError) -> MediaTime? {
        if tolerance.isPositiveInfinity { return nil }
        guard let limit = tolerance.mediaTime, limit >= .zero else {
            throw .invalidSettings(
                .movies, source.location,
                "requestedTimeToleranceBefore and requestedTimeToleranceAfter must be 0 or more")
        }
        return limit
    }

    /// Makes an image on the thread of the requests. ``cancelAll()`` and `cancel` of the control end the wait.
    func request(
        at time: CMTime, _ settings: Settings, _ control: ReadControl = ReadControl(),
        _ body: @escaping @Sendable (Result<Image, any Error>) -> Void
    ) {
        controls.withLock { $0[ObjectIdentifier(control)] = control }
        worker.async { [self] in
            let result = Result { try image(at: time, settings, control) }
            controls.withLock { $0[ObjectIdentifier(control)] = nil }
            body(result)
        }
    }

    /// Cancels the images that were requested.
    func cancelAll() {
        for control in controls.withLock({ $0 }).values { control.cancel() }
    }
}

extension Error {
    /// Whether it is that of a request that was cancelled.
    var isCancellation: Bool { (self as? ObscuraError)?.code == .cancelled }
}
