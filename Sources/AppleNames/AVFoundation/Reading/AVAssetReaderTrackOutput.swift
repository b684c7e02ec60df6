// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// An output with the decoded samples of a track.
///
/// Frames are in the orientation in which they are stored; ``AVAssetTrack/preferredTransform`` makes them upright.
public final class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
    // `@unchecked Sendable` is safe as that of the settings of `AVAssetWriterInput`.

    /// The track.
    public let track: AVAssetTrack
    /// The settings, as they were passed to the initializer.
    public let outputSettings: [String: Any]?
    private let form: Result<TrackForm, ObscuraError>

    /// Creates an output. If the settings are not supported, ``AVAssetReader/canAdd(_:)`` returns false.
    ///
    /// - Parameters:
    ///   - track: a track of the asset of the reader.
    ///   - outputSettings: for video, the keys of pixel buffers: the format (`420v`, `420f` or `BGRA`) and the size,
    ///     both optional. For sound, ``kAudioFormatLinearPCM`` with 16 or 32 bits; the other keys of sound are
    ///     optional. Nil, for compressed samples, is not supported.
    public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
        self.track = track
        self.outputSettings = outputSettings
        do throws(ObscuraError) {
            form = .success(try TrackForm(outputSettings, for: track.mediaType))
        } catch {
            form = .failure(error)
        }
        super.init(track.mediaType)
    }

    override func refusal(by asset: AVAsset) -> ObscuraError? {
        if case .failure(let error) = form { return error }
        guard track.source === asset.source else {
            return ObscuraError(
                .movies, .invalidState, subject: asset.source.location, reason: "the track belongs to another asset")
        }
        return nil
    }

    override func makeReader(
        _ range: ReadingRange, _ control: ReadControl
    ) throws(ObscuraError) -> sending (any TrackReader)? {
        switch try form.get() {
        case .video(let form): try PictureTrackReader(track, range, form, control: control)
        case .sound(let form): try SoundTrackReader(track, range, form, control: control)
        }
    }
}
