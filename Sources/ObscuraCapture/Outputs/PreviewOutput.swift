// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// Shows a camera in any number of views, each of its own size, rate and shape.
///
/// ```swift
/// let preview = PreviewOutput()
/// try await session.configure { try $0.addOutput(preview) }
/// let thumbnail = preview.subscribe(size: PixelSize(width: 160, height: 160), gravity: .resizeAspectFill)
/// for try await frame in thumbnail.frames { … }        // BGRA, 160x160
/// ```
///
/// Views of the same size and settings share the work on each frame. A view that cannot follow loses frames and
/// always gets the newest; it slows neither the camera nor another view.
///
/// Thread-safe.
public final class PreviewOutput: CaptureOutput, SessionOutput {
    /// The name of the output, for accounts and messages.
    public let name: String
    /// Its link to an input: what it says of turn, mirror, rate and effects holds for every view.
    public let connection: CaptureConnection
    private let viewCount = Lock(0)

    /// - Parameter name: for accounts and messages.
    public init(name: String = "preview") {
        self.name = name
        connection = CaptureConnection(outputName: name, mediaType: .video)
    }

    /// A new subscription to the frames of this output. It lives as long as it is kept or read, and retains the output.
    ///
    /// - Parameters:
    ///   - size: of the view in pixels; nil takes that of the camera.
    ///   - gravity: how the picture is shown where the view has another shape.
    ///   - pixelFormat: the format of the frames; nil takes the camera's own.
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

// MARK: - The session's side

extension PreviewOutput {
    /// The one connection that it has.
    public var connections: [CaptureConnection] { [connection] }

    /// Each view asks for something else; one whose request cannot be met is told when it is read.
    package var checkedRequest: ImageRequest? { nil }

    package func sessionWillStop() -> [any RunningCallback] {
        for reader in connection.readers { connection.detach(reader) }
        connection.renew()
        return []
    }

    package func sessionWillStart() {
        connection.renew()
    }
}
