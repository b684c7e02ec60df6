// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A rectangle with an image. There is no layer tree and no screen here: use any toolkit, and draw ``CALayer/contents``
/// in a view when ``CALayerDelegate/display(_:)`` is called.
///
/// Thread-safe.
public class CALayer: NSObject, @unchecked Sendable {  // Its property is a lock.
    /// `@unchecked Sendable` is safe because the lock protects the reference, and the delegate itself is used only on
    /// the main queue.
    private struct State: @unchecked Sendable {
        var frame = CGRect.zero
        var isHidden = false
        var contentsScale: CGFloat = 1
        var contents: CGImage?
        weak var delegate: (any CALayerDelegate)?
        /// Whether the main queue will call the delegate.
        var isDue = false
    }

    private let state = Lock(State())

    override init() {}

    /// The position and the size of the layer, in points.
    public var frame: CGRect {
        get { state.withLock { $0.frame } }
        set {
            state.withLock { $0.frame = newValue.standardized }
            layoutChanged()
        }
    }

    /// The rectangle of the layer in its own coordinates, in points. The origin is zero, at the top left corner.
    public var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame = CGRect(origin: frame.origin, size: newValue.size) }
    }

    /// The number of pixels per point.
    public var contentsScale: CGFloat {
        get { state.withLock { $0.contentsScale } }
        set {
            state.withLock { $0.contentsScale = newValue }
            layoutChanged()
        }
    }

    /// Whether the layer is not shown. A hidden layer receives no frames, and uses no CPU time.
    public var isHidden: Bool {
        get { state.withLock { $0.isHidden } }
        set {
            state.withLock { $0.isHidden = newValue }
            layoutChanged()
        }
    }

    /// The image, a `CGImage`; nil before the first frame. Its size is that of the layer in pixels. With another aspect
    /// ratio, it can be smaller, and two sides of the layer stay empty.
    public var contents: Any? { state.withLock { $0.contents } }

    /// The delegate, which is not retained.
    public var delegate: (any CALayerDelegate)? {
        get { state.withLock { $0 }.delegate }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Reacts to another size, scale or visibility.
    func layoutChanged() {}

    /// The size in pixels; nil for a layer without an area.
    var pixelSize: (width: Int, height: Int)? {
        let (size, scale) = state.withLock { ($0.frame.size, $0.contentsScale) }
        let (width, height) = (size.width * scale, size.height * scale)
        guard width >= 1, height >= 1, width <= 32768, height <= 32768 else { return nil }
        return (Int(width.rounded()), Int(height.rounded()))
    }

    /// Shows a picture; nil for none. The delegate is told on the main queue, of the newest picture only.
    func show(_ picture: CGImage?) {
        // The former picture and the delegate are not released with the lock held.
        let (isFirst, _, _) = state.withLock { state in
            let (former, delegate) = (state.contents, state.delegate)
            state.contents = picture
            let isFirst = delegate != nil && !state.isDue
            if isFirst { state.isDue = true }
            return (isFirst, former, delegate)
        }
        guard isFirst else { return }
        DispatchQueue.main.async { [weak self] in
            guard let self else { return }
            let now = state.withLock { state in
                state.isDue = false
                return state
            }
            now.delegate?.display(self)
        }
    }
}

/// Draws a layer.
public protocol CALayerDelegate: NSObjectProtocol {
    /// The image of the layer has changed. Called on the main queue.
    func display(_ layer: CALayer)
}

extension CALayerDelegate {
    /// The default: does nothing.
    public func display(_ layer: CALayer) {}
}
