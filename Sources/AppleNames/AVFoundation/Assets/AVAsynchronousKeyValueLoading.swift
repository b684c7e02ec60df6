// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The status of a property.
public enum AVKeyValueStatus: Int, Sendable {
    /// The property has not been requested.
    case unknown
    /// The property is being read.
    case loading
    /// The property was read.
    case loaded
    /// The property could not be read.
    case failed
    /// Reading the property was cancelled. Does not occur here.
    case cancelled
}

/// An object whose properties are read from a file or a network when they are needed.
public protocol AVAsynchronousKeyValueLoading: NSObjectProtocol, Sendable {
    /// Returns whether a property was read. All properties of an asset and its tracks are read together.
    ///
    /// - Parameters:
    ///   - key: the name of the property.
    ///   - error: receives the error if the status is `failed`.
    func statusOfValue(forKey key: String, error: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus

    /// Reads properties on another thread.
    ///
    /// - Parameters:
    ///   - keys: the names of the properties.
    ///   - handler: called once, on an arbitrary thread, after the properties were read or could not be read.
    @preconcurrency
    func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)?)
}

extension AVAsynchronousKeyValueLoading {
    /// Reads properties on another thread.
    public func loadValuesAsynchronously(forKeys keys: [String]) {
        loadValuesAsynchronously(forKeys: keys, completionHandler: nil)
    }
}

/// An object whose properties are those of a movie.
protocol AssetReading: AVAsynchronousKeyValueLoading {
    var source: AssetSource { get }
}

extension AssetReading {
    /// Returns whether a property was read; see ``AVAsynchronousKeyValueLoading``.
    public func statusOfValue(forKey key: String, error: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        switch source.result {
        case .success: return .loaded
        case .failure(let failure):
            error?.pointee = failure as NSError
            return .failed
        case nil: return source.isLoading ? .loading : .unknown
        }
    }

    /// Reads properties on another thread; see ``AVAsynchronousKeyValueLoading``.
    @preconcurrency
    public func loadValuesAsynchronously(
        forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)?
    ) {
        source.load { _ in handler?() }
    }
}

extension AVAsset: AssetReading {}
extension AVAssetTrack: AssetReading {}
