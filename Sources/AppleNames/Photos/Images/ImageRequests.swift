// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import AppleGraphics
internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// The running requests of a manager.
final class ImageRequests: Sendable {
    private struct State {
        var last: PHImageRequestID = 0
        var tasks: [PHImageRequestID: Task<Void, Never>] = [:]
        /// Requests that ended before their tasks were stored.
        var ended: Set<PHImageRequestID> = []
    }

    private let state = Lock(State())
    private let results = DispatchQueue(label: "obscura.photos.results", attributes: .concurrent)

    /// Starts a request, and returns its number.
    ///
    /// - Parameter handler: receives the result, or nil, and the information about it; see ``PHImageManager``.
    func start<R: Sendable>(
        _ asset: PHAsset, isSynchronous: Bool,
        _ body: @escaping @Sendable (MediaLibrary) async throws(ObscuraError) -> R,
        handler: @escaping @Sendable (R?, [AnyHashable: Any]) -> Void
    ) -> PHImageRequestID {
        let id = state.withLock { state in
            state.last = state.last == .max ? 1 : state.last + 1
            return state.last
        }
        if isSynchronous {
            let result = BlockingCall.run { await Self.result(asset, body) }
            Self.report(result, id, handler)
            return id
        }
        let queue = Self.isOnMain ? DispatchQueue.main : results
        let task = Task(executorPreference: PhotoStore.executor) { [self] in
            let result = await Self.result(asset, body)
            state.withLock { state in
                if state.tasks.removeValue(forKey: id) == nil { state.ended.insert(id) }
            }
            asset.store.call(on: queue) { Self.report(result, id, handler) }
        }
        state.withLock { state in
            if state.ended.remove(id) == nil { state.tasks[id] = task }
        }
        return id
    }

    /// Marks the main queue.
    private static let mainKey = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is the main thread, or a block of the main queue: after `dispatchMain`, those run on other
    /// threads.
    private static var isOnMain: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true }

    func cancel(_ id: PHImageRequestID) { state.withLock { $0.tasks[id] }?.cancel() }

    private static func result<R: Sendable>(
        _ asset: PHAsset, _ body: @Sendable (MediaLibrary) async throws(ObscuraError) -> R
    ) async -> Result<R, PHPhotosError> {
        do throws(ObscuraError) {
            let library = try await asset.store.library()
            if !Task.isCancelled {
                let result = try await body(library)
                if !Task.isCancelled { return .success(result) }
            }
            throw .cancelled(.library, "request for \(asset.localIdentifier)")
        } catch {
            return .failure(
                error.code == .invalidRequest
                    ? PHPhotosError(.requestNotSupportedForAsset, error) : PHPhotosError(error, in: asset.store))
        }
    }

    private static func report<R>(
        _ result: Result<R, PHPhotosError>, _ id: PHImageRequestID, _ handler: (R?, [AnyHashable: Any]) -> Void
    ) {
        var info: [AnyHashable: Any] = [
            PHImageResultRequestIDKey: NSNumber(value: id), PHImageResultIsDegradedKey: false,
            PHImageResultIsInCloudKey: false,
        ]
        switch result {
        case .success(let value): handler(value, info)
        case .failure(let error):
            if error.code == .userCancelled {
                info[PHImageCancelledKey] = true
            } else {
                info[PHImageErrorKey] = error
            }
            handler(nil, info)
        }
    }
}
