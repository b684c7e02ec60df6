// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors
// swift-format-ignore-file
//
// Writing into a frame's pixels and recording them, as RosyWriter-like apps do.
import AVFoundation
import CoreMedia
import CoreVideo

final class GreenToZero: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
    private let writer: AVAssetWriter
    private let input: AVAssetWriterInput
    private let adaptor: AVAssetWriterInputPixelBufferAdaptor
    private var started = false

    init(url: URL, width: Int, height: Int) throws {
        writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
        input = AVAssetWriterInput(mediaType: .video, outputSettings: [
            AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: width, AVVideoHeightKey: height,
            AVVideoCompressionPropertiesKey: [AVVideoAverageBitRateKey: 2_000_000],
        ])
        input.expectsMediaDataInRealTime = true
        adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input, sourcePixelBufferAttributes: nil)
        let place = AVMutableMetadataItem()
        place.identifier = .quickTimeMetadataLocationISO6709
        place.value = "+55.7522+037.6156/" as NSString
        writer.metadata = [place]
        writer.add(input)
        super.init()
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
        CVPixelBufferLockBaseAddress(pixels, [])
        if let base = CVPixelBufferGetBaseAddress(pixels) {
            let stride = CVPixelBufferGetBytesPerRow(pixels)
            for y in 0..<CVPixelBufferGetHeight(pixels) {
                let row = base.advanced(by: y * stride).assumingMemoryBound(to: UInt8.self)
                for x in 0..<CVPixelBufferGetWidth(pixels) { row[4 * x + 1] = 0 }
            }
        }
        CVPixelBufferUnlockBaseAddress(pixels, [])
        let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        if !started {
            writer.startWriting()
            writer.startSession(atSourceTime: time)
            started = true
        }
        if input.isReadyForMoreMediaData { adaptor.append(pixels, withPresentationTime: time) }
    }

    func finish(_ done: @escaping (Bool) -> Void) {
        input.markAsFinished()
        writer.finishWriting { [writer] in done(writer.status == .completed) }
    }
}
