// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// Receives the objects of an ``AVCaptureMetadataOutput``, on its queue and in order.
public protocol AVCaptureMetadataOutputObjectsDelegate: NSObjectProtocol {
    /// Receives the objects in a frame. After the last object has disappeared, called once with an empty array. The
    /// default does nothing.
    func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection)
}

extension AVCaptureMetadataOutputObjectsDelegate {
    /// The default: does nothing.
    public func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection
    ) {}
}

/// An output that detects faces in the frames of a camera. If the CPU is too slow to search all frames, frames are
/// skipped.
///
/// Only upright faces are found. If the camera is mounted in another orientation, rotate the connection.
public final class AVCaptureMetadataOutput: AVCaptureOutput, @unchecked Sendable {  // Its properties are Sendable.
    private struct State {
        var types: Set<AVMetadataObject.ObjectType> = []
        var interest = CGRect(x: 0, y: 0, width: 1, height: 1)
    }

    private static let logger = Logger(label: "obscura.avfoundation")

    /// Nil without the library that detects faces.
    private let faces: FaceOutput?
    private let bridge = FaceDelegateBridge()
    private let state = Lock(State())
    private let watching = Lock<Task<Void, Never>?>(nil)

    /// Creates an output that detects nothing until ``metadataObjectTypes`` is set.
    public init() {
        let name = "AVCaptureMetadataOutput"
        do throws(ObscuraError) {
            faces = try FaceOutput(name: name)
        } catch {
            Self.logger.error("\(error)")
            faces = nil
        }
        super.init(faces ?? VideoDataOutput(name: name))
        faces?.isSearching = false
        let detections = faces?.detections
        let task = Task { [weak self] in
            guard let detections else { return }
            for await detection in detections { self?.pass(detection) }
        }
        watching.withLock { $0 = task }
    }

    deinit {
        watching.withLock { $0 }?.cancel()
    }

    /// Sets the delegate, which is not retained.
    ///
    /// - Parameters:
    ///   - delegate: receives the objects; nil for none.
    ///   - queue: the serial queue on which the delegate is called; nil for a queue of the output.
    public func setMetadataObjectsDelegate(
        _ delegate: (any AVCaptureMetadataOutputObjectsDelegate)?, queue: DispatchQueue?
    ) {
        bridge.set(delegate, queue)
    }

    /// The delegate.
    public var metadataObjectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)? { bridge.delegate }
    /// The queue on which the delegate is called; nil for a queue of the output.
    public var metadataObjectsCallbackQueue: DispatchQueue? { bridge.queue }

    /// The kinds of objects that can be detected: faces, if the session has a camera. If the library for face detection
    /// is missing, the array is empty, and an error is logged.
    public var availableMetadataObjectTypes: [AVMetadataObject.ObjectType] {
        faces != nil && camera != nil ? [.face] : []
    }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The kinds of objects that are detected; initially none. If a kind is not available, nothing is changed, and an
    /// error is logged.
    public var metadataObjectTypes: [AVMetadataObject.ObjectType]! {
        get { Array(state.withLock { $0.types }) }
        set {
            let types = Set(newValue ?? [])
            guard types.isSubset(of: availableMetadataObjectTypes) else {
                return Self.logger.error(
                    "metadataObjectTypes: only availableMetadataObjectTypes can be detected, in a session with a camera"
                )
            }
            state.withLock { $0.types = types }
            faces?.isSearching = !types.isEmpty
        }
    }

    /// The part of the frame, as fractions of its width and height from its top left corner. Only objects that overlap
    /// this part are reported. Initially the whole frame.
    public var rectOfInterest: CGRect {
        get { state.withLock { $0.interest } }
        set { state.withLock { $0.interest = newValue } }
    }

    private func pass(_ detection: FaceOutput.Detection) {
        guard let connection = connection(with: .video) else { return }
        let interest = rectOfInterest
        let (width, height) = (CGFloat(detection.size.width), CGFloat(detection.size.height))
        // Faces are searched in the picture as the connection turns it, and reported in that of the camera.
        let shown = connection.connection
        let geometry = PreviewGeometry(
            layer: CGSize(width: 1, height: 1), picture: nil, gravity: .resize, turn: shown.orientation,
            isMirrored: shown.isMirrored)
        let objects = detection.faces.compactMap { face -> AVMetadataObject? in
            let place = CGRect(
                x: CGFloat(face.bounds.x) / width, y: CGFloat(face.bounds.y) / height,
                width: CGFloat(face.bounds.width) / width, height: CGFloat(face.bounds.height) / height)
            let bounds = geometry.pictureRect(place)
            guard bounds.intersects(interest) else { return nil }
            return AVMetadataFaceObject(face.id ?? 0, at: CMTime(detection.presentationTime), in: bounds)
        }
        bridge.pass(objects, from: connection, of: self)
    }
}

/// Passes objects to the delegate of a metadata output on its queue: the newest ones, if the delegate is slower than the
/// search.
private final class FaceDelegateBridge: Sendable {
    /// The objects of a picture.
    private struct Delivery: Sendable {
        let objects: [AVMetadataObject]
        let connection: AVCaptureConnection
        let output: AVCaptureMetadataOutput
    }

    /// `@unchecked Sendable` is safe because the lock protects the reference, and the delegate itself is used only on
    /// the queue that its owner has chosen.
    private struct State: @unchecked Sendable {
        weak var delegate: (any AVCaptureMetadataOutputObjectsDelegate)?
        var queue: DispatchQueue?
        /// Counts the delegates: one that was set later gets nothing on the queue of the former.
        var delegates = 0
        /// The objects that wait for the queue.
        var waiting: Delivery?
        var hadObjects = false
    }

    private let state = Lock(State())
    private let ownQueue = DispatchQueue(label: "obscura.avfoundation.metadata")

    var delegate: (any AVCaptureMetadataOutputObjectsDelegate)? { state.withLock { $0 }.delegate }
    var queue: DispatchQueue? { state.withLock { $0.queue } }

    func set(_ delegate: (any AVCaptureMetadataOutputObjectsDelegate)?, _ queue: DispatchQueue?) {
        state.withLock { state in
            state.delegate = delegate
            state.queue = queue
            state.delegates += 1
            state.waiting = nil
        }
    }

    func pass(
        _ objects: [AVMetadataObject], from connection: AVCaptureConnection, of output: AVCaptureMetadataOutput
    ) {
        let (isFirst, queue, number) = state.withLock { state in
            guard state.hadObjects || !objects.isEmpty else { return (false, state.queue, 0) }
            state.hadObjects = !objects.isEmpty
            defer { state.waiting = Delivery(objects: objects, connection: connection, output: output) }
            return (state.waiting == nil, state.queue, state.delegates)
        }
        if isFirst { (queue ?? ownQueue).async { [self] in deliver(number) } }
    }

    private func deliver(_ number: Int) {
        let (delivery, receiver) = state.withLock { state in
            guard state.delegates == number else { return (nil as Delivery?, state) }
            defer { state.waiting = nil }
            return (state.waiting, state)
        }
        guard let delivery, let delegate = receiver.delegate else { return }
        delegate.metadataOutput(delivery.output, didOutput: delivery.objects, from: delivery.connection)
    }
}
