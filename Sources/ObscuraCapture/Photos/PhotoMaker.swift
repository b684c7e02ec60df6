// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
internal import ObscuraMedia

/// Makes photos of frames: decodes, turns, scales, encodes. A value for all photos of one capture; any thread.
struct PhotoMaker: Sendable {
    let settings: PhotoSettings
    /// What the connection and the settings ask for, before the frame's own turn.
    let orientation: Orientation
    let isMirrored: Bool
    let effects: [VideoEffect]
    /// What is known of the camera; the settings say more.
    let device: Metadata
    /// The name of the output, for messages.
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
        var source = try kept.frame.pixels()
        source.picture.lease = kept.lease
        var asked = ImageRequest()
        asked.orientation = orientation
        asked.isMirrored = isMirrored
        asked.effects = effects
        // With the turn that the camera itself needs.
        var request = asked.upright(source.attachments)
        var properties = StillProperties(metadata: metadata(of: kept.frame))
        properties.thumbnailSide = settings.thumbnailSide
        if case .pixels(let size) = settings.size {
            request.size = size
            request.fit = settings.fit
        }
        // An effect is for the upright picture: with one, the pixels are turned.
        if settings.orientationPlacement == .exif, effects.isEmpty {
            (properties.orientation, properties.isMirrored) = (request.orientation, request.isMirrored)
            if request.orientation.isTransposed { request.size = request.size?.transposed }
            (request.orientation, request.isMirrored) = (.up, false)
        }
        let picture = try source.image(request)
        let data = try StillEncoder(settings.format).encode(picture, properties)
        return Photo(
            data: data, format: settings.format, size: picture.size, metadata: properties.metadata,
            presentationTime: source.presentationTime, hostTime: source.hostTime, sequence: source.sequence,
            frame: settings.keepsFrame ? source : nil)
    }

    private func metadata(of frame: RoutedFrame) -> Metadata {
        var known = device
        // The wall's clock at the moment of the frame: now, less the frame's age.
        var date = WallTime.now
        date.nanosecondsSince1970 -= max(0, (HostTime.now - frame.hostTime).wholeNanoseconds)
        known.date = date
        known.software = "Obscura"
        var said = settings.metadata
        if let exposure = said.exposure, let measured = known.exposure { said.exposure = measured.merging(exposure) }
        return known.merging(said)
    }
}

extension Metadata.Exposure {
    /// What `other` says, and for the rest what this one says.
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
