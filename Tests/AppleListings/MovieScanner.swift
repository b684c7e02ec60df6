// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors
// swift-format-ignore-file
//
// Thumbnails, a waveform and a reversed list of frames of a movie, as editing apps make them.
import AVFoundation
import UIKit

enum MovieScannerError: Error { case noTrack, cannotRead }

final class MovieScanner {
    private let asset: AVAsset

    init(url: URL) {
        asset = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
    }

    func thumbnails(count: Int, completion: @escaping ([UIImage]) -> Void) {
        asset.loadValuesAsynchronously(forKeys: ["duration", "tracks"]) {
            var error: NSError?
            guard self.asset.statusOfValue(forKey: "duration", error: &error) == .loaded else { completion([]); return }
            let generator = AVAssetImageGenerator(asset: self.asset)
            generator.appliesPreferredTrackTransform = true
            generator.maximumSize = CGSize(width: 64, height: 64)
            generator.requestedTimeToleranceBefore = CMTime.zero
            generator.requestedTimeToleranceAfter = CMTime.zero
            let seconds = CMTimeGetSeconds(self.asset.duration)
            var times = [NSValue]()
            for index in 0..<count {
                let time = CMTimeMakeWithSeconds(seconds * Double(index) / Double(count), preferredTimescale: 600)
                times.append(NSValue(time: time))
            }
            var images = [UIImage]()
            var left = times.count
            generator.generateCGImagesAsynchronously(forTimes: times) { requestedTime, image, actualTime, result, error in
                if result == .succeeded, let image = image { images.append(UIImage(cgImage: image)) }
                left -= 1
                if left == 0 { completion(images) }
            }
        }
    }

    func firstImage() -> UIImage? {
        let generator = AVAssetImageGenerator(asset: asset)
        var actual = CMTime.zero
        guard let image = try? generator.copyCGImage(at: CMTimeMake(value: 0, timescale: 1), actualTime: &actual) else { return nil }
        return UIImage(cgImage: image)
    }

    func presentationTimes() throws -> [CMTime] {
        let reader = try AVAssetReader(asset: asset)
        guard let track = asset.tracks(withMediaType: .video).last else { throw MovieScannerError.noTrack }
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: [
            String(kCVPixelBufferPixelFormatTypeKey): NSNumber(value: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        ])
        output.alwaysCopiesSampleData = false
        guard reader.canAdd(output) else { throw MovieScannerError.cannotRead }
        reader.add(output)
        reader.startReading()
        var times: [CMTime] = []
        while reader.status == .reading {
            guard let sampleBuffer = output.copyNextSampleBuffer() else { break }
            if let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) {
                CVPixelBufferLockBaseAddress(pixels, .readOnly)
                CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
            }
            times.append(CMSampleBufferGetPresentationTimeStamp(sampleBuffer))
        }
        return times
    }

    func loudestSample() throws -> Int16 {
        guard let reader = try? AVAssetReader(asset: asset), let track = asset.tracks(withMediaType: .audio).first else {
            throw MovieScannerError.noTrack
        }
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatLinearPCM),
            AVLinearPCMBitDepthKey: 16,
            AVLinearPCMIsBigEndianKey: false,
            AVLinearPCMIsFloatKey: false,
            AVLinearPCMIsNonInterleaved: false,
        ]
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
        reader.add(output)
        reader.startReading()
        var loudest: Int16 = 0
        while reader.status == .reading {
            guard let sampleBuffer = output.copyNextSampleBuffer(), let blockBuffer = CMSampleBufferGetDataBuffer(sampleBuffer) else { break }
            var length = 0
            var pointer: UnsafeMutablePointer<Int8>?
            CMBlockBufferGetDataPointer(blockBuffer, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: &length, dataPointerOut: &pointer)
            pointer?.withMemoryRebound(to: Int16.self, capacity: length / 2) { samples in
                for index in 0..<(length / 2) { loudest = max(loudest, samples[index]) }
            }
            CMSampleBufferInvalidate(sampleBuffer)
        }
        return loudest
    }

    func summary() async throws -> String {
        let (duration, tracks) = try await asset.load(.duration, .tracks)
        guard let video = try await asset.loadTracks(withMediaType: .video).first else { throw MovieScannerError.noTrack }
        let size = try await video.load(.naturalSize)
        let (transform, rate) = try await video.load(.preferredTransform, .nominalFrameRate)
        for description in try await video.load(.formatDescriptions) {
            guard CMFormatDescriptionGetMediaType(description) == kCMMediaType_Video else { throw MovieScannerError.noTrack }
        }
        let upright = size.applying(transform)
        return "\(tracks.count) tracks, \(duration.seconds) s, \(abs(upright.width))x\(abs(upright.height)) at \(rate)"
    }
}
