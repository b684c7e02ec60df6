// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The number of a sample of a buffer.
public typealias CMItemIndex = Int

/// The index is not less than the number of samples of the buffer.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The format description does not match the image.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743

/// Creates the format description of an image.
///
/// - Parameter formatDescriptionOut: receives the description.
/// - Returns: 0.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = CMFormatDescription(of: imageBuffer)
    return 0
}

/// Creates a sample buffer with an image, whose pixels are not copied.
///
/// - Parameters:
///   - formatDescription: the description of the image.
///   - sampleTiming: the times of the sample.
///   - sampleBufferOut: receives the sample buffer.
/// - Returns: ``kCMSampleBufferError_InvalidMediaFormat`` if the description has another format or size than the image.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard formatDescription == CMFormatDescription(of: imageBuffer) else {
        return kCMSampleBufferError_InvalidMediaFormat
    }
    sampleBufferOut.pointee = CMSampleBuffer(
        .image(imageBuffer), formatDescription: formatDescription, timing: sampleTiming.pointee)
    return 0
}

/// Returns the times of a sample: of an image, or of one sample frame of sound.
///
/// - Parameters:
///   - sampleIndex: the number of the sample, from 0.
///   - timingInfoOut: receives the times.
/// - Returns: ``kCMSampleBufferError_SampleIndexOutOfRange`` if the index is not less than the number of samples.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
    _ buffer: CMSampleBuffer, at sampleIndex: CMItemIndex, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
    guard (0..<buffer.numSamples).contains(sampleIndex) else { return kCMSampleBufferError_SampleIndexOutOfRange }
    timingInfoOut.pointee = buffer.timing(ofSample: sampleIndex)
    return 0
}

extension CMFormatDescription {
    fileprivate convenience init(of pixels: CVImageBuffer) {
        let size = PixelSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
        self.init(video: CVPixelBufferGetPixelFormatType(pixels), size: size)
    }
}

extension CMSampleBuffer {
    fileprivate func timing(ofSample index: Int) -> CMSampleTimingInfo {
        guard case .sound(let sound) = content else { return timing }
        let duration = CMTime(value: 1, timescale: CMTimeScale(sound.format.sampleRate))
        return CMSampleTimingInfo(
            duration: duration,
            presentationTimeStamp: presentationTimeStamp + CMTimeMultiply(duration, multiplier: Int32(index)),
            decodeTimeStamp: .invalid)
    }
}
