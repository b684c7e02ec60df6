// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

/// The properties of movies, by `AVAsset` and `AVAssetTrack`.
@Suite("AVAsset", .hangLimit) struct AssetTests {
    private let movies = try? ReadingMovies()

    @Test("An asset of an address is an AVURLAsset, and opens nothing before it is asked")
    func address() {
        let url = URL(fileURLWithPath: "/does not exist.mp4")
        let asset = AVAsset(url: url)
        #expect((asset as? AVURLAsset)?.url == url)
        #expect(AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true]).url == url)
        #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .unknown)
        guard case .notYetLoaded = asset.status(of: .duration) else {
            Issue.record("it was opened")
            return
        }
    }

    @Test("Properties are loaded one by one, or several at once")
    func load() async throws {
        let asset = try await #require(movies).videoAndSound()
        let duration = try await asset.load(.duration)
        #expect(duration.isNumeric && abs(duration.seconds - 2) < 0.05)
        let (tracks, isPlayable, isReadable, preferred) = try await asset.load(
            .tracks, .isPlayable, .isReadable, .preferredTransform)
        #expect(tracks.map(\.mediaType) == [.video, .audio] && isPlayable && isReadable && preferred.isIdentity)
        #expect(Set(tracks.map(\.trackID)).count == 2)
        #expect(try await asset.loadTrack(withTrackID: tracks[1].trackID) === tracks[1])
        #expect(tracks[0].asset === asset && asset.tracks[0] === tracks[0])
        guard case .loaded(let known) = asset.status(of: .duration) else {
            Issue.record("it was not loaded")
            return
        }
        #expect(known == duration)
    }

    @Test("The times of video are exact")
    func exactTimes() async throws {
        let asset = try await #require(movies).video()
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let range = try await track.load(.timeRange)
        #expect(range == CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1)))
        #expect(asset.duration == CMTime(value: 2, timescale: 1))
        #expect(track.minFrameDuration == CMTime(value: 1, timescale: 30) && track.nominalFrameRate == 30)
        #expect(track.naturalTimeScale >= 30 && track.estimatedDataRate > 0)
    }

    @Test("Tracks tell the size, the codec, the sound format and the language")
    func tracks() async throws {
        let asset = try await #require(movies).videoAndSound()
        let video = try #require(asset.tracks(withMediaType: .video).first)
        let (size, transform, rate) = try await video.load(.naturalSize, .preferredTransform, .nominalFrameRate)
        #expect(size == CGSize(width: 160, height: 96) && transform == .identity && rate == 30)
        let format = try #require(try await video.load(.formatDescriptions).first)
        #expect(format.mediaType == .video && CMFormatDescriptionGetMediaSubType(format) == kCMVideoCodecType_H264)
        #expect(CMVideoFormatDescriptionGetDimensions(format) == CMVideoDimensions(width: 160, height: 96))
        #expect(format.audioStreamBasicDescription == nil)
        #expect(CMAudioFormatDescriptionGetStreamBasicDescription(format) == nil)

        let sound = try #require(asset.tracks(withMediaType: .audio).first)
        #expect(sound.naturalSize == .zero && sound.nominalFrameRate == 0 && !sound.minFrameDuration.isValid)
        #expect(try await sound.load(.languageCode) == "deu")
        #expect(sound.extendedLanguageTag == "de")
        let description = try #require(sound.formatDescriptions.first as? CMFormatDescription)
        let stream = try #require(CMAudioFormatDescriptionGetStreamBasicDescription(description)?.pointee)
        #expect(stream.mFormatID == kAudioFormatMPEG4AAC && stream.mSampleRate == 48_000)
        #expect(stream.mChannelsPerFrame == 2 && stream.mFramesPerPacket == 1024 && stream.mBitsPerChannel == 0)
        #expect(asset.tracks(withMediaType: AVMediaType("text")).isEmpty)
    }

    @Test("The transform of a rotated movie maps its corners to the upright picture", arguments: [90, 180, 270])
    func rotation(degrees: Int) async throws {
        let source = try await #require(movies).video().url.path
        let path = try #require(movies).movies.folder("turned.mp4")
        try Tool.run(
            "ffmpeg", ["-v", "error", "-i", source, "-c", "copy", "-metadata:s:v:0", "rotate=\(degrees)", path])
        let turn = Orientation(degrees: -(try #require(try Probe(path).rotation)))
        let asset = AVAsset(url: URL(fileURLWithPath: path))
        let track = try #require(asset.tracks(withMediaType: .video).first)
        #expect(track.naturalSize == CGSize(width: 160, height: 96))
        let transform = track.preferredTransform
        #expect(asset.preferredTransform == transform)
        let frame = CGRect(origin: .zero, size: track.naturalSize).applying(transform)
        let upright = turn.isTransposed ? CGSize(width: 96, height: 160) : CGSize(width: 160, height: 96)
        #expect(frame == CGRect(origin: .zero, size: upright))
        // The top left corner, clockwise.
        let corner =
            switch turn {
            case .up: CGPoint.zero
            case .right: CGPoint(x: 96, y: 0)
            case .down: CGPoint(x: 160, y: 96)
            case .left: CGPoint(x: 0, y: 160)
            }
        #expect(CGPoint.zero.applying(transform) == corner)
    }

    @Test("The transform of a mirrored movie exchanges left and right")
    func mirrored() async throws {
        let url = try await #require(movies).video().url
        var bytes = [UInt8](try Data(contentsOf: url))
        // The matrix in the header of the track: ISO/IEC 14496-12, section 8.3.2.
        let header = try #require(bytes.indices.dropLast(4).first { Array(bytes[$0..<($0 + 4)]) == Array("tkhd".utf8) })
        try #require(bytes[header + 4] == 0, "version 0")
        let matrix: [Int32] = [-0x10000, 0, 0, 0, 0x10000, 0, 160 << 16, 0, 0x4000_0000]
        let new = matrix.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        bytes.replaceSubrange((header + 44)..<(header + 80), with: new)
        let path = try #require(movies).url("mirrored.mp4")
        try Data(bytes).write(to: path)
        let track = try #require(AVAsset(url: path).tracks.first)
        let expected = CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 160, ty: 0)
        #expect(track.preferredTransform == expected)
    }

    @Test("The metadata of a movie is that of its writer")
    func metadata() async throws {
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = "Optics" as NSString
        let own = AVMutableMetadataItem()
        own.identifier = AVMetadataIdentifier("mdta/org.example.height")
        own.value = "1.6" as NSString
        let asset = try await #require(movies).video([title, own])
        let (all, common, date) = try await asset.load(.metadata, .commonMetadata, .creationDate)
        #expect(
            all.contains { $0.identifier == own.identifier } && !common.contains { $0.identifier == own.identifier })
        let items = AVMetadataItem.metadataItems(
            from: common, withKey: AVMetadataKey.commonKeyTitle, keySpace: .common)
        #expect(try await items.first?.load(.stringValue) == "Optics")
        let written = try #require(try await date?.load(.dateValue))
        #expect(abs(written.timeIntervalSinceNow) < 600)
        #expect(try await asset.load(.availableMetadataFormats) == [.quickTimeMetadata])
        #expect(try await asset.loadMetadata(for: .quickTimeMetadata).count == all.count)
        #expect(asset.metadata(forFormat: .iTunesMetadata).isEmpty)
    }

    @Test("Keys are loaded asynchronously, and then have the status loaded")
    func keys() async throws {
        let asset = try await #require(movies).video()
        await withCheckedContinuation { continuation in
            asset.loadValuesAsynchronously(forKeys: ["tracks", "duration"]) { continuation.resume() }
        }
        var error: NSError?
        #expect(asset.statusOfValue(forKey: "tracks", error: &error) == .loaded && error == nil)
        let tracks: [AVAssetTrack]? = await withCheckedContinuation { continuation in
            asset.loadTracks(withMediaType: .video) { tracks, _ in continuation.resume(returning: tracks) }
        }
        #expect(tracks?.count == 1)
    }

    @Test("A movie that is missing, or is none, fails with the reason, and has no properties")
    func unreadable() async throws {
        let movies = try #require(movies)
        let text = URL(fileURLWithPath: try movies.movies.folder.write("text.mp4", "not a movie"))
        let cases: [(URL, ObscuraError.Code)] = [(movies.url("none.mp4"), .notFound), (text, .unsupportedContainer)]
        for (url, expected) in cases {
            let asset = AVURLAsset(url: url)
            await #expect { _ = try await asset.load(.duration) } throws: { code($0) == expected }
            await #expect { _ = try await asset.load(.tracks, .isPlayable) } throws: { code($0) == expected }
            await #expect { _ = try await asset.loadTracks(withMediaType: .video) } throws: { code($0) == expected }
            var error: NSError?
            #expect(asset.statusOfValue(forKey: "tracks", error: &error) == .failed && error != nil)
            guard case .failed = asset.status(of: .tracks) else {
                Issue.record("it did not fail")
                continue
            }
            #expect(!asset.duration.isValid && asset.tracks.isEmpty && !asset.isPlayable && !asset.isReadable)
            #expect(asset.metadata.isEmpty && asset.preferredTransform.isIdentity && asset.creationDate == nil)
            let failure: (any Error)? = await withCheckedContinuation { continuation in
                asset.loadTracks(withMediaType: .video) { _, error in continuation.resume(returning: error) }
            }
            #expect(code(failure) == expected)
            #expect { _ = try AVAssetReader(asset: asset) } throws: { code($0) == expected }
        }
    }
}
