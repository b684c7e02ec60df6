// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Appends pixel buffers, instead of sample buffers, to an input. Thread-safe, like the input.
public final class AVAssetWriterInputPixelBufferAdaptor: NSObject, Sendable {
    /// `@unchecked Sendable` is safe as that of the settings of ``AVAssetWriterInput``.
    private struct Attributes: @unchecked Sendable {
        let values: [String: Any]?
    }

    /// The input.
    public let assetWriterInput: AVAssetWriterInput
    private let attributes: Attributes
    private let pool = Lock<CVPixelBufferPool?>(nil)

    /// Creates an adaptor.
    ///
    /// - Parameters:
    ///   - input: an input of video.
    ///   - sourcePixelBufferAttributes: the attributes of the buffers of ``pixelBufferPool``. Buffers of all sizes and
    ///     formats can be appended.
    public init(assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil) {
        assetWriterInput = input
        attributes = Attributes(values: sourcePixelBufferAttributes)
        super.init()
    }

    /// The attributes of the buffers, as they were passed to the initializer.
    public var sourcePixelBufferAttributes: [String: Any]? { attributes.values }

    /// A pool of buffers to append. Nil before ``AVAssetWriter/startWriting()``, or if ``sourcePixelBufferAttributes``
    /// is nil. If the attributes have no size, the size in the settings of the input is used. If they have no format,
    /// the buffers are 4:2:0 with two planes.
    public var pixelBufferPool: CVPixelBufferPool? {
        guard assetWriterInput.isStarted, let attributes = attributes.values else { return nil }
        let settings = assetWriterInput.outputSettings ?? [:]
        let defaults: [String: Any?] = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
            kCVPixelBufferWidthKey: settings[AVVideoWidthKey], kCVPixelBufferHeightKey: settings[AVVideoHeightKey],
        ]
        let complete = attributes.merging(defaults.compactMapValues(\.self)) { own, _ in own }
        return pool.withLock { pool in
            if pool == nil { CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, complete, &pool) }
            return pool
        }
    }

    /// Appends a pixel buffer; see ``AVAssetWriterInput/append(_:)``. The buffer can be changed after the call.
    ///
    /// - Returns: false if the buffer was not appended.
    @discardableResult
    public func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
        assetWriterInput.append { path throws(ObscuraError) in
            try MediaSample(pixelBuffer, at: presentationTime, subject: path)
        }
    }
}
