// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// An output for any number of views of a camera, each with its own size, frame rate and aspect ratio.
///
/// ```swift
/// let preview = PreviewOutput()
/// try await session.configure { try $0.addOutput(preview) }
/// let thumbnail = preview.subscribe(size: PixelSize(width: 160, height: 160), gravity: .resizeAspectFill)
/// for try await frame in thumbnail.frames { … }        // BGRA, 160x160
/// ```
///
/// Views with the same size and settings share the work on each frame. A slow view skips frames and always gets the
/// newest frame. A slow view does not slow down the camera or other views.
///
/// Thread-safe.
public final class PreviewOutput: CaptureOutput, @unchecked Sendable {  // Its properties are a constant and a lock.
    /// The connection to an input. The orientation, mirroring, rate limit and effects of the connection apply to every
    /// view.
    public let connection: CaptureConnection
    private let viewCount = Lock(0)

    /// Creates an output.
    ///
    /// - Parameter name: The name in statistics and messages.
    public init(name: String = "preview") {
        connection = CaptureConnection(outputName: name, mediaType: .video)
        super.init(name: name, connection: connection)
    }

    /// Returns a new subscription to the frames of this output. The subscription is active while it is retained, or
    /// while a loop reads its frames. The subscription retains the output.
    ///
    /// - Parameters:
    ///   - size: The size of the view in pixels; nil uses the size of the camera's frames.
    ///   - gravity: The fit of the image into a view with a different aspect ratio.
    ///   - pixelFormat: The pixel format of the frames; nil uses the pixel format of the camera.
    public func subscribe(
        size: PixelSize? = nil, gravity: VideoGravity = .resizeAspect, pixelFormat: PixelFormat? = .bgra
    ) -> PreviewSubscription {
        let number = viewCount.withLock { count in
            count += 1
            return count
        }
        return PreviewSubscription(
            output: self, name: "\(name) view \(number)", size: size, gravity: gravity, pixelFormat: pixelFormat)
    }
}
