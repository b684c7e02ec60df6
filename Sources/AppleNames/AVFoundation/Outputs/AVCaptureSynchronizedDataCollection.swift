// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The media that several outputs captured at about the same time. If an output has no frame of that time, the
/// collection has no data for it.
public final class AVCaptureSynchronizedDataCollection: NSObject, Sequence, Sendable {
    private let entries: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)]

    init(_ entries: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)]) {
        self.entries = entries
    }

    /// Returns the data of an output; nil if the output has no frame of that time, or is not synchronized.
    public func synchronizedData(for captureOutput: AVCaptureOutput) -> AVCaptureSynchronizedData? {
        entries.first { $0.output === captureOutput }?.data
    }

    /// The same as ``synchronizedData(for:)``.
    public subscript(output: AVCaptureOutput) -> AVCaptureSynchronizedData? { synchronizedData(for: output) }

    /// The number of outputs with data.
    public var count: Int { entries.count }

    /// Returns the data, in the order of the outputs.
    public func makeIterator() -> IndexingIterator<[AVCaptureSynchronizedData]> {
        entries.map(\.data).makeIterator()
    }
}
