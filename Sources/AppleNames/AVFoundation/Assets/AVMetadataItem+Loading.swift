// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The values of items are read with the movie, so that loading them does not wait.
extension AVMetadataItem: AVAsynchronousKeyValueLoading {
    /// Always `loaded`.
    public func statusOfValue(forKey key: String, error: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        .loaded
    }

    /// Calls `handler` on an arbitrary thread.
    @preconcurrency
    public func loadValuesAsynchronously(
        forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)?
    ) {
        guard let handler else { return }
        DispatchQueue.global().async(execute: handler)
    }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
    /// See ``AVMetadataItem/value``.
    public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> { .init { $0.value } }
    /// See ``AVMetadataItem/stringValue``.
    public static var stringValue: AVAsyncProperty<Root, String?> { .init { $0.stringValue } }
    /// See ``AVMetadataItem/numberValue``.
    public static var numberValue: AVAsyncProperty<Root, NSNumber?> { .init { $0.numberValue } }
    /// See ``AVMetadataItem/dateValue``.
    public static var dateValue: AVAsyncProperty<Root, Date?> { .init { $0.dateValue } }
    /// See ``AVMetadataItem/dataValue``.
    public static var dataValue: AVAsyncProperty<Root, Data?> { .init { $0.dataValue } }
}
