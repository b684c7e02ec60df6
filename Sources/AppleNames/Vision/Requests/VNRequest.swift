// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A function that is called after a request, on the thread that performs the request. Its parameters are the request,
/// with its results, and the error, if the request failed.
public typealias VNRequestCompletionHandler = (VNRequest, (any Error)?) -> Void

/// An object with results.
///
/// In Swift, a subclass cannot override a property with a property of another array type. Therefore `results` of
/// ``VNRequest`` is a property of this protocol, and each subclass has its own `results`, which hides it.
public protocol VNRequestResults: AnyObject {}

extension VNRequestResults where Self: VNRequest {
    /// The results; nil before the end of the request, and after a failure.
    public var results: [VNObservation]? { observations }
}

/// The superclass of requests. Use a request on only one thread at a time, except for ``cancel()``.
public class VNRequest: VNRequestResults {
    /// The function that is called when the request has ended.
    public let completionHandler: VNRequestCompletionHandler?
    private(set) var observations: [VNObservation]?
    private let isCancelled = Lock(false)

    init(completionHandler: VNRequestCompletionHandler?) {
        self.completionHandler = completionHandler
    }

    /// Cancels the running search or, if none is running, the next search. A running search still runs to its end. The
    /// cancelled search fails with `VNErrorCode.requestCancelled`. Can be called on any thread.
    public func cancel() {
        isCancelled.withLock { $0 = true }
    }

    /// Returns the observations of an image; each kind of request overrides it.
    func observe(_ image: CIImage) throws(VisionError) -> [VNObservation] { [] }

    /// Performs the request on an image, sets the results, and calls the completion handler.
    ///
    /// - Returns: the error if the request failed.
    final func perform(on image: Result<CIImage, VisionError>) -> NSError? {
        observations = nil
        var failure: NSError?
        do throws(VisionError) {
            try checkCancellation()
            let found = try observe(image.get())
            try checkCancellation()
            observations = found
        } catch {
            failure = NSError(error)
        }
        isCancelled.withLock { $0 = false }
        completionHandler?(self, failure)
        return failure
    }

    private func checkCancellation() throws(VisionError) {
        if isCancelled.withLock({ $0 }) { throw .cancelled }
    }
}

extension VNRequest: Hashable {
    /// Whether both are the same object.
    public static func == (one: VNRequest, other: VNRequest) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
