// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraMedia

extension CaptureDevice {
    /// Checks that the device supplies the media type, and throws an error otherwise. For example, an audio-only file
    /// does not supply video. Network sources and pipes always pass, since their media types are unknown until a
    /// session reads them.
    ///
    /// - Throws: ``ObscuraError/Code/unreadable``.
    public func require(_ mediaType: MediaType) throws(ObscuraError) {
        guard !mediaTypes.contains(mediaType) else { return }
        throw mediaType == .video ? .noPictures(self) : .noSound(self)
    }
}

extension CaptureSession {
    /// Throws if a running input supplies audio only.
    func requirePictures(of input: CaptureDeviceInput) throws(ObscuraError) {
        if activeFormat(of: input) == nil, activeAudioFormat(of: input) != nil { throw .noPictures(input.device) }
    }
}

extension ObscuraError {
    fileprivate static func noPictures(_ device: CaptureDevice) -> ObscuraError {
        ObscuraError(.capture, .unreadable, subject: device.uniqueID, reason: "it has audio but no video")
    }

    fileprivate static func noSound(_ device: CaptureDevice) -> ObscuraError {
        ObscuraError(.capture, .unreadable, subject: device.uniqueID, reason: "it has no audio")
    }
}
