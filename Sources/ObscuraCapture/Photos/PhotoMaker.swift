// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
internal import ObscuraMedia

/// The conversion of frames to photos: decoding, rotation, scaling, encoding; or copying the compressed frame. One value
/// for all photos of a capture; any thread.
struct PhotoMaker: Sendable {
    let settings: PhotoSettings
    /// The orientation of the connection and the settings, without the frame's own.
    let orientation: Orientation
    let isMirrored: Bool
    let effects: [VideoEffect]
    /// The metadata of the camera; the metadata of the settings overrides it.
    let device: Metadata
    /// The name of the output, for error messages.
    let name: String

    func make(_ kept: KeptFrame) throws(ObscuraError) -> Photo {
        do {
            return try makePhoto(kept)
        } catch let error as ObscuraError where error.code == .tooLarge || error.code == .invalidRequest {
            throw .refused(error, name)
        } catch {
            throw ObscuraError(wrapping: error, as: .capture, .deviceFailed, subject: name)
        }
    }

    private func makePhoto(_ kept: KeptFrame) throws -> Photo {
        // A frame that is copied is decoded as well: only the decoder detects damaged data.
        var source = try kept.frame.pixels()
        if case .encoded(let frame) = kept.frame.content { try frame.checkImage(source.buffer) }
        source.picture.lease = kept.lease
        var asked = ImageRequest()
        asked.orientation = orientation
        asked.isMirrored = isMirrored
        asked.effects = effects
        // Including the rotation that the camera itself requires.
        var request = asked.upright(source.attachments)
        var properties = StillProperties(metadata: metadata(of: kept.frame))
        properties.thumbnailSide = settings.thumbnailSide
        if case .pixels(let size) = settings.size {
            request.size = size
            request.fit = settings.fit
        }
        // Effects apply to the upright image: with one, the pixels are rotated.
        if settings.orientationPlacement == .exif, effects.isEmpty {
            (properties.orientation, properties.isMirrored) = (request.orientation, request.isMirrored)
            if request.orientation.isTransposed { request.size = request.size?.transposed }
            (request.orientation, request.isMirrored) = (.up, false)
        }
        var (picture, data, isCopied) = (source.buffer, [UInt8](), false)
        if settings.encodes {
            if let copy = try copy(of: kept.frame, showing: picture, request, properties) {
                (data, isCopied) = (copy, true)
            } else {
                picture = try source.image(request)
                data = try StillEncoder(settings.format).encode(picture, properties)
            }
        }
        return Photo(
            data: data, format: settings.format, isCopied: isCopied, size: picture.size,
            orientation: properties.orientation, isMirrored: properties.isMirrored, metadata: properties.metadata,
            presentationTime: source.presentationTime, hostTime: source.hostTime, sequence: source.sequence,
            frame: settings.keepsFrame ? source : nil)
    }

    /// Returns the file of a photo that contains the compressed frame of the camera; nil if the photo must be encoded.
    private func copy(
        of frame: RoutedFrame, showing picture: PixelBuffer, _ request: ImageRequest, _ properties: StillProperties
    ) throws -> [UInt8]? {
        guard case .jpeg(quality: nil) = settings.format, case .encoded(let frame) = frame.content,
            frame.format == .mjpeg, frame.colorSpace == nil || frame.colorSpace == .jpeg
        else { return nil }
        var request = request
        if request.size == picture.size { (request.size, request.fit) = (nil, .fill) }
        guard request.isIdentity else { return nil }
        return try StillEncoder.copying(frame.data, showing: picture, properties)
    }

    private func metadata(of frame: RoutedFrame) -> Metadata {
        guard settings.fillsMetadata else { return settings.metadata }
        var known = device
        known.date = WallTime(of: frame.hostTime)
        known.software = ObscuraBuild.program
        var said = settings.metadata
        if let exposure = said.exposure, let measured = known.exposure { said.exposure = measured.merging(exposure) }
        return known.merging(said)
    }
}

extension Metadata.Exposure {
    /// Returns the values of `other`, and these values where `other` has none.
    fileprivate func merging(_ other: Metadata.Exposure) -> Metadata.Exposure {
        var merged = self
        merged.duration = other.duration ?? duration
        merged.iso = other.iso ?? iso
        merged.bias = other.bias ?? bias
        merged.aperture = other.aperture ?? aperture
        merged.focalLength = other.focalLength ?? focalLength
        merged.flashFired = other.flashFired ?? flashFired
        return merged
    }
}
