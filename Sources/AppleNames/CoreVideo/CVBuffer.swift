// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

@_exported public import AppleGraphics
package import Obscura
internal import ObscuraBase
internal import ObscuraMedia

/// An image in memory that can be changed while its base address is locked.
public typealias CVPixelBuffer = CVImageBuffer
/// A buffer with an image.
public typealias CVImageBuffer = CVBuffer

/// A reference to pixels, which must be locked for each access by the CPU.
///
/// Addresses are valid between ``CVPixelBufferLockBaseAddress(_:_:)`` and ``CVPixelBufferUnlockBaseAddress(_:_:)``.
/// Memory may be shared with the driver of a camera, or with another output. A lock for writing first copies shared
/// memory, so changes are visible in this buffer only. Thread-safe, except for concurrent writes to the pixels.
public final class CVBuffer: Sendable {
    fileprivate struct State {
        var picture: PixelBuffer
        var attachments: [String: Attachment] = [:]
        /// Number of locks that are not unlocked yet.
        var locks = 0
        var isWritable = false
        var planes: [PixelStorage.Plane] = []
        /// Pictures that a lock for writing has replaced while a reader uses their addresses.
        var replaced: [PixelBuffer] = []
    }

    /// A value that belongs to a buffer.
    struct Attachment {
        let value: Any
        let mode: CVAttachmentMode
    }

    /// `@unchecked Sendable` is safe because the state, with its pointers and values of any type, is used with the lock
    /// held only; the values are those that a caller has passed from the same isolation, as in the API on other
    /// systems.
    private struct Guarded: @unchecked Sendable {
        var state: State
    }

    private let guarded: Lock<Guarded>

    package init(_ picture: PixelBuffer) {
        guarded = Lock(Guarded(state: State(picture: picture)))
    }

    /// The pixels as they are now. Later changes of the buffer do not change the returned value. If the buffer is
    /// locked for writing, it is a copy. Otherwise, it shares the memory, which the next lock for writing copies.
    package var picture: PixelBuffer {
        guarded.withLock { guarded in
            let picture = guarded.state.picture
            return guarded.state.isWritable ? (try? picture.copy()) ?? picture : picture
        }
    }

    /// Reads properties of the picture, which are no pixels.
    func inspect<R>(_ body: (PixelBuffer) -> R) -> R { guarded.withLock { body($0.state.picture) } }

    // MARK: Addresses

    /// Locks the memory. Returns false if there is no memory for a copy.
    func lock(isReadOnly: Bool) -> Bool {
        guarded.withLock { guarded in
            guard let planes = guarded.state.addresses(isReadOnly: isReadOnly) else { return false }
            guarded.state.planes = planes
            guarded.state.locks += 1
            return true
        }
    }

    /// Unlocks the memory. Returns false if it was not locked.
    func unlock() -> Bool {
        guarded.withLock { guarded in
            guard guarded.state.locks > 0 else { return false }
            guarded.state.locks -= 1
            if guarded.state.locks == 0 {
                guarded.state.isWritable = false
                guarded.state.planes = []
                guarded.state.replaced = []
            }
            return true
        }
    }

    /// The address of a plane; nil while the buffer is not locked, and for a plane that it does not have.
    func baseAddress(ofPlane plane: Int) -> UnsafeMutableRawPointer? {
        guarded.withLock { guarded in
            guarded.state.planes.indices.contains(plane) ? guarded.state.planes[plane].base : nil
        }
    }

    // MARK: Attachments

    func attachment(_ key: String) -> Attachment? { guarded.withLock { $0.state.attachments[key] } }

    func setAttachment(_ attachment: Attachment?, _ key: String) {
        // The old value is released without the lock.
        _ = guarded.withLock { guarded in
            defer { guarded.state.attachments[key] = attachment }
            return guarded.state.attachments[key]
        }
    }

    func attachments(_ mode: CVAttachmentMode) -> [String: Any] {
        guarded.withLock { guarded in
            guarded.state.attachments.filter { $0.value.mode == mode }.mapValues(\.value)
        }
    }
}

extension CVBuffer.State {
    /// Returns the addresses of the planes; nil if there is no memory for a copy.
    fileprivate mutating func addresses(isReadOnly: Bool) -> [PixelStorage.Plane]? {
        if isReadOnly { return locks > 0 ? planes : picture.withPlanes { $0 } }
        guard !isWritable else { return planes }
        // The addresses that a reader uses stay valid: with another reference, the memory is copied.
        if locks > 0 { replaced.append(picture) }
        // Many programs read the distance between the rows before the lock.
        guard (try? picture.makeWritableWithSameRows()) != nil, let planes = try? picture.withMutablePlanes({ $0 })
        else { return nil }
        isWritable = true
        return planes
    }
}

extension CVBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (one: CVBuffer, other: CVBuffer) -> Bool { one === other }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
