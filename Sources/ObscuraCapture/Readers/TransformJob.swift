// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

/// The conversion of one frame for a reader.
final class TransformJob: Sendable {
    private struct Outcome {
        let result: Result<VideoFrame, any Error>
        let end: HostTime
    }

    let frame: RoutedFrame
    /// The reader's request at the beginning of the conversion.
    let request: ImageRequest
    /// The request for an upright image beside the source's own; nil for none.
    let imageRequest: ImageRequest?
    let begin = HostTime.now
    private let makesUpright: Bool
    private let outcome = Lock<Outcome?>(nil)

    init(
        frame: RoutedFrame, request: ImageRequest, imageRequest: ImageRequest?, makesUpright: Bool
    ) {
        self.frame = frame
        self.request = request
        self.imageRequest = imageRequest
        self.makesUpright = makesUpright
    }

    /// The result; nil while the job runs.
    var result: Result<VideoFrame, any Error>? { outcome.withLock { $0?.result } }
    var hasEnded: Bool { outcome.withLock { $0 != nil } }
    var end: HostTime { outcome.withLock { $0?.end } ?? begin }

    /// Makes the requested frame.
    func run() {
        let result = Result { try make() }
        outcome.withLock { $0 = Outcome(result: result, end: .now) }
    }

    private func make() throws -> VideoFrame {
        let source = try frame.pixels()
        if let imageRequest {
            var frame = source
            frame.readyImage = try source.uprightImage(imageRequest)
            return frame
        }
        guard makesUpright else {
            return request.isIdentity ? source : source.replacing(buffer: try source.image(request))
        }
        let upright = request.upright(source.attachments)
        var result = upright.isIdentity ? source : source.replacing(buffer: try source.image(upright))
        result.attachments.uprightTurn = .up
        result.attachments.isMirrored = false
        return result
    }
}
