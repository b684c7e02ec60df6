// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// A layer that shows the newest frame of a session's camera, in the size of the layer.
///
/// The frames of a front camera are mirrored, unless the connection is set otherwise. See ``CALayer`` for drawing.
public final class AVCaptureVideoPreviewLayer: CALayer, @unchecked Sendable {  // Its properties are Sendable.
    private struct State {
        var session: AVCaptureSession?
        var gravity = AVLayerVideoGravity.resizeAspect
    }

    private static let logger = Logger(label: "obscura.avfoundation")

    private let state = Lock(State())
    /// Not one of the outputs of the session.
    let output: PreviewLayerOutput
    private let view: PreviewSubscription
    private let drawing = Lock<Task<Void, Never>?>(nil)

    /// Creates a layer without a session.
    override public init() {
        let preview = PreviewOutput(name: "AVCaptureVideoPreviewLayer")
        output = PreviewLayerOutput(preview, adjustsMirroring: true)
        view = preview.subscribe(gravity: .resizeAspect, pixelFormat: .bgra)
        super.init()
        output.layer = self
    }

    /// Creates a layer that shows the frames of a session.
    public convenience init(session: AVCaptureSession) {
        self.init()
        self.session = session
    }

    /// Creates a layer that shows nothing until it is connected to a camera of the session.
    public convenience init(sessionWithNoConnection session: AVCaptureSession) {
        self.init()
        setSessionWithNoConnection(session)
    }

    deinit {
        drawing.withLock { $0 }?.cancel()
        let (session, output) = (state.withLock { $0.session }, output)
        // Removing waits for the session, for which the last owner of the layer must not wait.
        if let session { DispatchQueue.global().async { session.removeLayer(output) } }
    }

    /// The session, which is retained. Setting it blocks while the session is changed.
    public var session: AVCaptureSession? {
        get { state.withLock { $0.session } }
        set { setSession(newValue, isConnected: true) }
    }

    /// Sets the session. The layer shows nothing until it is connected to a camera: see
    /// ``AVCaptureConnection/init(inputPort:videoPreviewLayer:)``.
    public func setSessionWithNoConnection(_ session: AVCaptureSession) { setSession(session, isConnected: false) }

    private func setSession(_ session: AVCaptureSession?, isConnected: Bool) {
        let former = state.withLock { state in
            defer { state.session = session }
            return state.session
        }
        // A session that could not be changed has removed the layer again.
        guard former !== session || session?.hasLayer(output) == false else { return }
        former?.removeLayer(output)
        session?.addLayer(output, isConnected: isConnected)
        let task = session.map { draw($0.session) }
        drawing.withLock { drawing in
            drawing?.cancel()
            drawing = task
        }
    }

    /// The connection to the camera; nil if there is none.
    public var connection: AVCaptureConnection? { output.connection(with: .video) }

    /// Whether frames are shown: the session runs, the connection is active, and the layer is not hidden.
    public var isPreviewing: Bool { session?.isRunning == true && connection?.isActive == true && !isHidden }

    /// The fit of frames into the layer. Initially `resizeAspect`.
    public var videoGravity: AVLayerVideoGravity {
        get { state.withLock { $0.gravity } }
        set {
            state.withLock { $0.gravity = newValue }
            view.gravity = newValue.gravity
        }
    }

    /// Shows the pictures of a session until the task is cancelled.
    private func draw(_ session: CaptureSession) -> Task<Void, Never> {
        let events = session.events
        return Task { [weak self, view] in
            var events = events.makeAsyncIterator()
            // The frames end when the session stops or its source ends; the last picture stays until the next start.
            repeat {
                do {
                    for try await frame in view.frames { self?.show(CGImage(frame.buffer)) }
                } catch {
                    Self.logger.error("\(error)")
                }
            } while await Self.starts(&events)
        }
    }

    /// Waits for the next start of a session. Returns false after the end of the session.
    private static func starts(_ events: inout AsyncStream<SessionEvent>.Iterator) async -> Bool {
        while let event = await events.next(isolation: #isolation) {
            if case .started = event { return true }
        }
        return false
    }

    override func layoutChanged() {
        view.size = pixelSize.map { PixelSize(width: $0.width, height: $0.height) }
        view.isHidden = isHidden
    }

    // MARK: Points

    /// Converts a point of the layer to a point of the frame as the camera delivers it: fractions of the width and the
    /// height, from the top left corner.
    public func captureDevicePointConverted(fromLayerPoint point: CGPoint) -> CGPoint { geometry.picturePoint(point) }

    /// Converts a point of the camera's frame to a point of the layer.
    public func layerPointConverted(fromCaptureDevicePoint point: CGPoint) -> CGPoint { geometry.layerPoint(point) }

    /// Converts a rectangle of the layer to a rectangle of the camera's frame, such as
    /// ``AVCaptureMetadataOutput/rectOfInterest``.
    public func metadataOutputRectConverted(fromLayerRect rect: CGRect) -> CGRect { geometry.pictureRect(rect) }

    /// Converts a rectangle of the camera's frame to a rectangle of the layer.
    public func layerRectConverted(fromMetadataOutputRect rect: CGRect) -> CGRect { geometry.layerRect(rect) }

    /// Returns an object whose bounds are in the coordinates of the layer.
    ///
    /// - Returns: nil if the layer is not connected to a camera.
    public func transformedMetadataObject(for object: AVMetadataObject) -> AVMetadataObject? {
        connection == nil ? nil : object.placed(in: geometry.layerRect(object.bounds))
    }

    private var geometry: PreviewGeometry {
        let size = output.camera?.activeFormat.formatDescription.dimensions
        let connection = connection?.connection
        return PreviewGeometry(
            layer: bounds.size, picture: size.map { CGSize(width: Int($0.width), height: Int($0.height)) },
            gravity: videoGravity, turn: connection?.orientation ?? .up, isMirrored: connection?.isMirrored ?? false)
    }
}

extension AVCaptureConnection {
    /// The preview layer that shows the frames; nil for the connection of an output.
    public var videoPreviewLayer: AVCaptureVideoPreviewLayer? {
        (owner as? PreviewLayerOutput)?.layer as? AVCaptureVideoPreviewLayer
    }
}
