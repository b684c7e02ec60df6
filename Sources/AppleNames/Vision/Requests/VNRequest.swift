// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A function that is called when a request has ended, on the thread that performs it: with the request, whose results
/// are set, and with the error, if it failed.
public typealias VNRequestCompletionHandler = (VNRequest, (any Error)?) -> Void

/// An object with results.
///
/// A class cannot override a property by one with another array. Therefore `results` of ``VNRequest`` is a property of
/// this protocol, which subclasses hide by one of their own.
public protocol VNRequestResults: AnyObject {}

extension VNRequestResults where Self: VNRequest {
    /// The results; nil before the request has ended, and after a failure.
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

    /// Cancels the request if it has not ended: the search that is running or else the next one fails with
    /// `VNErrorCode.requestCancelled`. A search that is running is not shortened. Can be called on any thread.
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
